// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.certs;

import dev.holdfast.base.tls.KeyAndChain;
import dev.holdfast.base.tls.PemFiles;
import dev.holdfast.cli.CommandException;
import dev.holdfast.cli.CommonOptions;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.output.SafeText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast certs}: certificates for trying out TLS. */
@Command(
    name = "certs",
    header = "Make certificates for trying out TLS.",
    customSynopsis = {
      "holdfast certs DIRECTORY [--server NAME]... [--proxy NAME]...",
      "                      [--application NAME]... [--operator NAME]... [--days N]"
    },
    description = {
      "%nMakes a certificate authority in a directory, unless there is one, and certificates of it:"
          + " NAME.pem with the key NAME-key.pem, and server.pem for the control plane. Those that"
          + " are there are renewed. Whoever can read ca-key.pem can be anybody: use this to try"
          + " things out, and an authority of your own for the rest.%n",
      "Proxies, applications and operators get a URI as their name:"
          + " spiffe://holdfast/proxy/NAME, spiffe://holdfast/application/NAME,"
          + " spiffe://holdfast/operator/NAME.%n"
    },
    footer = {
      "%nExamples:",
      "  holdfast certs tls --server xds.example.com --proxy edge-1 --proxy edge-2",
      "  holdfast certs tls --operator ann",
      "%nExit codes: 0 made, 1 files cannot be read or written, 2 bad arguments."
    })
@SuppressWarnings("NullAway.Init") // picocli sets what it must before run()
public final class CertsCommand implements Runnable {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-._A-Za-z0-9]{0,62})");
  private static final Duration LIFE_OF_AUTHORITY = Duration.ofDays(3650);
  private static final String ROOT = "spiffe://holdfast/";
  private static final String LOCALHOST = "localhost";

  private final Shell shell;

  @Spec CommandSpec spec;
  @Mixin CommonOptions common = new CommonOptions();

  @Parameters(paramLabel = "DIRECTORY", description = "Where the files are written.")
  Path directory;

  @Option(
      names = "--server",
      paramLabel = "NAME",
      description =
          "A DNS name or IP address of the control plane, beside localhost and 127.0.0.1; may be"
              + " repeated.")
  @Nullable List<String> servers;

  @Option(names = "--proxy", paramLabel = "NAME", description = "A proxy; may be repeated.")
  @Nullable List<String> proxies;

  @Option(
      names = "--application",
      paramLabel = "NAME",
      description = "A gRPC application; may be repeated.")
  @Nullable List<String> applications;

  @Option(
      names = "--operator",
      paramLabel = "NAME",
      description = "A caller of the admin API; may be repeated.")
  @Nullable List<String> operators;

  @Option(
      names = "--days",
      paramLabel = "N",
      description = "How long the certificates are valid. Default: ${DEFAULT-VALUE}.")
  int days = 30;

  public CertsCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    common.apply();
    if (days < 1 || days > LIFE_OF_AUTHORITY.toDays()) {
      throw bad("--days: " + days + " (expected: 1 to " + LIFE_OF_AUTHORITY.toDays() + ")");
    }
    for (List<String> names : List.of(of(proxies), of(applications), of(operators))) {
      for (String name : names) {
        if (!NAME.matcher(name).matches() || name.equals("server") || name.equals("ca")) {
          throw bad("'" + name + "' (expected: a name of letters, digits and . _ -)");
        }
      }
    }
    Console console = new Console(shell.out(), shell.err());
    try {
      Files.createDirectories(directory);
      Instant now = shell.time().now();
      Authority authority = authority(now, console);
      List<String> ofServer = new ArrayList<>(List.of(LOCALHOST, "127.0.0.1"));
      of(servers).stream().filter(name -> !ofServer.contains(name)).forEach(ofServer::add);
      issue(authority, "server", ofServer, now, console);
      for (String name : of(proxies)) {
        issue(authority, name, List.of(ROOT + "proxy/" + name), now, console);
      }
      for (String name : of(applications)) {
        issue(authority, name, List.of(ROOT + "application/" + name), now, console);
      }
      for (String name : of(operators)) {
        issue(authority, name, List.of(ROOT + "operator/" + name), now, console);
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new CommandException(directory + ": " + e.getMessage(), e);
    }
  }

  private static List<String> of(@Nullable List<String> names) {
    return names == null ? List.of() : names;
  }

  private Authority authority(Instant now, Console console)
      throws IOException, GeneralSecurityException {
    Path certificate = directory.resolve("ca.pem");
    Path key = directory.resolve("ca-key.pem");
    if (Files.exists(certificate) || Files.exists(key)) {
      KeyAndChain known = PemFiles.keyAndChain(certificate, key);
      return Authority.of(known.certificate(), known.key());
    }
    Authority made = Authority.create("holdfast certs", now, LIFE_OF_AUTHORITY);
    write(key, made.keyPem());
    write(certificate, made.pem());
    console.print(SafeText.text(certificate + ": a new certificate authority"));
    return made;
  }

  private void issue(
      Authority authority, String name, List<String> names, Instant now, Console console)
      throws IOException, GeneralSecurityException {
    Duration lifetime = Duration.ofDays(days);
    Authority.Issued issued = authority.issue(name, names, now, lifetime);
    Path certificate = directory.resolve(name + ".pem");
    write(directory.resolve(name + "-key.pem"), issued.key());
    write(certificate, issued.certificate());
    console.print(
        SafeText.text(
            certificate + ": " + String.join(", ", names) + ", valid for " + days + " days"));
  }

  /** For its owner only, and whole under its name: servers may be reading it. */
  private void write(Path file, String text) throws IOException {
    Path next = Files.createTempFile(directory, ".next", "");
    Files.writeString(next, text);
    if (Files.getFileStore(next).supportsFileAttributeView("posix")) {
      Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-------"));
    }
    Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
