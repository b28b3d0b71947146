// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.serve;

import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.Shell;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code holdfast serve}: the control plane. This class knows the options and no more, so that
 * other commands, which picocli builds it for too, start without the server's classes.
 */
@Command(
    name = "serve",
    header = "Serve a directory of objects to proxies.",
    customSynopsis = {
      "holdfast serve DIRECTORY [--config FILE] [--state FILE]",
      "                      [--xds-address HOST:PORT] [--admin-address HOST:PORT]",
      "                      [--http-address HOST:PORT] [--https-address HOST:PORT]",
      "                      [--disagreement uniform|per-class]"
    },
    description = {
      "%nReads the objects of a directory tree, watches it, and serves what they say to Envoy and "
          + "to gRPC applications over xDS. Says one line when it is ready, and ends at SIGTERM or "
          + "SIGINT.%n",
      "Every option can also be in the file of --config; what is given here wins.%n"
    },
    footer = {
      "%nExamples:",
      "  holdfast serve examples/shop",
      "  holdfast serve --config /etc/holdfast/holdfast.yaml",
      "%nExit codes: 0 stopped on request, 1 cannot start, 2 bad arguments."
    })
@SuppressWarnings("NullAway.Init") // picocli sets what it must before call()
public final class ServeCommand implements Callable<Integer> {
  private final Shell shell;

  @Spec CommandSpec spec;
  @Mixin CommonOptions common = new CommonOptions();

  @Parameters(arity = "0..1", paramLabel = "DIRECTORY", description = "The objects.")
  @Nullable Path directory;

  @Option(names = "--config", paramLabel = "FILE", description = "More options, as YAML.")
  @Nullable Path config;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description =
          "What must outlive the process. Default: a file among the user's state, for each"
              + " directory its own.")
  @Nullable Path state;

  @Option(
      names = "--xds-address",
      paramLabel = "HOST:PORT",
      description = "Where proxies connect. Default: 127.0.0.1:18000.")
  @Nullable String xdsAddress;

  @Option(
      names = "--admin-address",
      paramLabel = "HOST:PORT",
      description = "Where the admin API is. Default: 127.0.0.1:19000.")
  @Nullable String adminAddress;

  @Option(
      names = "--admin-token-file",
      paramLabel = "FILE",
      description =
          "Holds the token that callers of the admin API must show. Needed if its address is no"
              + " loopback address.")
  @Nullable Path adminTokenFile;

  @Option(
      names = "--http-address",
      paramLabel = "HOST:PORT",
      description = "Where Envoys take plain requests. Default: 0.0.0.0:8080.")
  @Nullable String httpAddress;

  @Option(
      names = "--https-address",
      paramLabel = "HOST:PORT",
      description = "Where Envoys take encrypted requests. Default: 0.0.0.0:8443.")
  @Nullable String httpsAddress;

  @Option(
      names = "--ingress-class",
      paramLabel = "NAME",
      description = "Ingresses of this class are served. Default: holdfast.")
  @Nullable String ingressClass;

  @Option(
      names = "--disagreement",
      paramLabel = "WHAT",
      description =
          "What becomes of a change that some classes of proxies refuse: uniform, it is held for"
              + " all, or per-class, for those. Default: uniform.")
  @Nullable String disagreement;

  public ServeCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    common.applyForServer();
    if (directory == null && config == null) {
      throw bad("nothing to serve (expected: a directory, or --config FILE that names one)");
    }
    new ServeRun(shell, this).run();
    return ExitCode.OK;
  }

  ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
