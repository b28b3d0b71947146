// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.compare;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.base.tls.PemTls;
import dev.holdfast.cli.CommandException;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.output.SafeText;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.files.FileSet;
import dev.holdfast.config.files.ReadResult;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.translate.TranslatedObject;
import dev.holdfast.controlplane.translate.Translation;
import dev.holdfast.controlplane.translate.TranslationOptions;
import dev.holdfast.server.ClusterObjects;
import dev.holdfast.server.options.ClusterOptions;
import dev.holdfast.server.options.StartException;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Compares with the options of the command. */
final class CompareRun {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Enough for the route table of some ten thousand hosts. */
  private static final int LARGEST_RESPONSE = 256 << 20;

  private final Shell shell;
  private final CompareCommand command;
  private final Console console;

  CompareRun(Shell shell, CompareCommand command) {
    this.shell = shell;
    this.command = command;
    this.console = new Console(shell.out(), shell.err());
  }

  int run() {
    ServedResources ours = translated(objects());
    ServedResources theirs = fetched();
    Comparison comparison;
    try {
      comparison = Comparison.of(ServedHosts.of(theirs), ServedHosts.of(ours));
    } catch (InvalidProtocolBufferException e) {
      throw new CommandException("a resource cannot be decoded: " + e.getMessage(), e);
    }
    command.output.print(
        shell,
        comparison.json(),
        () -> comparison.table(command.all, shell.width(), shell.style()));
    return comparison.isEqual() ? ExitCode.OK : ExitCode.DIFFERENT;
  }

  // Ours.

  private Collection<ConfigObject> objects() {
    if (command.directory == null) {
      return clusterObjects();
    }
    if (!Files.isDirectory(command.directory)) {
      throw command.bad(command.directory + ": no such directory");
    }
    ReadResult reading = FileSet.read(List.of(command.directory));
    if (!reading.problems().isEmpty()) {
      console.note(
          reading.problems().size()
              + " problems in the files, which are left out: holdfast validate "
              + command.directory);
    }
    return reading.objects();
  }

  private Collection<ConfigObject> clusterObjects() {
    try {
      return ClusterObjects.read(
          new ClusterOptions(
              true,
              command.kubeconfig,
              command.context,
              command.namespaces == null ? null : ClusterOptions.names(command.namespaces),
              null),
          shell.environment(),
          PATIENCE.multipliedBy(3));
    } catch (IllegalArgumentException e) {
      throw command.bad("Invalid value for option '--namespace': " + e.getMessage());
    } catch (StartException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException("interrupted", e);
    }
  }

  private ServedResources translated(Collection<ConfigObject> objects) {
    SortedMap<ObjectKey, @Nullable ConfigObject> all = new TreeMap<>();
    objects.forEach(object -> all.put(object.key(), object));
    TranslationOptions options = TranslationOptions.defaults();
    if (command.ingressClass != null) {
      options = options.forClasses(List.of(command.ingressClass.split(",", -1)));
    }
    Translation translation = Translation.empty(options).with(all);
    translation.objects().forEach((key, object) -> tellProblems(object));
    Snapshot snapshot = translation.snapshot();
    List<Resource> resources = new ArrayList<>();
    for (ResourceType type : ResourceType.ALL) {
      snapshot.listed(type).forEach(resources::add);
      if (type != ResourceType.LISTENER) { // those by name are for gRPC clients
        snapshot.byName(type).forEach(resources::add);
      }
    }
    ServedResources served = new ServedResources();
    try {
      for (Resource resource : resources) {
        served.add(resource.id().type(), resource.body());
      }
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a translated resource cannot be decoded", e);
    }
    return served;
  }

  /** What is not valid is not served, and so not compared. */
  private void tellProblems(TranslatedObject object) {
    if (!object.foreign() && !object.isValid()) {
      LocatedProblem first = object.problems().get(0);
      int more = object.problems().size() - 1;
      console.note(
          object.key()
              + " is not valid for Holdfast: "
              + SafeText.text(first.toString())
              + (more == 0 ? "" : " (and " + more + " more)"));
    }
  }

  // Theirs.

  private ServedResources fetched() {
    ManagedChannel channel = channel();
    try {
      return XdsFetch.all(channel, command.with, command.node, PATIENCE);
    } finally {
      channel.shutdownNow();
    }
  }

  private ManagedChannel channel() {
    ManagedChannelBuilder<?> builder;
    try {
      builder = Grpc.newChannelBuilder("dns:///" + command.with, credentials());
    } catch (IllegalArgumentException e) {
      throw command.bad(
          "Invalid value for option '--with': '" + command.with + "' (expected: HOST:PORT)");
    }
    if (command.serverName != null) {
      builder.overrideAuthority(command.serverName);
    }
    return builder.maxInboundMessageSize(LARGEST_RESPONSE).build();
  }

  private ChannelCredentials credentials() {
    if (command.ca == null && command.certificate == null) {
      return InsecureChannelCredentials.create();
    }
    TlsChannelCredentials.Builder tls = TlsChannelCredentials.newBuilder();
    try {
      if (command.ca != null) {
        tls.trustManager(PemTls.trust(content(command.ca)));
      }
      if (command.certificate != null && command.key != null) {
        tls.keyManager(PemTls.keys(content(command.certificate), content(command.key)));
      }
    } catch (GeneralSecurityException | IOException e) {
      throw new CommandException("certificates: cannot be used: " + e.getMessage(), e);
    }
    return tls.build();
  }

  private static byte[] content(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new CommandException(file + ": cannot be read", e);
    }
  }
}
