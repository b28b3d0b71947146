// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.client;

import dev.holdfast.cli.CommandException;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which control plane to ask. */
@SuppressWarnings("NullAway.Init") // picocli sets what it must
public final class ServerOption {
  static final String DEFAULT = "http://127.0.0.1:19000";
  private static final String SERVER = "HOLDFAST_SERVER";
  private static final String TOKEN = "HOLDFAST_TOKEN";

  @Spec(Spec.Target.MIXEE)
  CommandSpec spec;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description =
          "The admin API of the control plane. Default: HOLDFAST_SERVER, else " + DEFAULT + ".")
  @Nullable String server;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Holds the token to show. Default: the token in HOLDFAST_TOKEN, if any.")
  @Nullable Path tokenFile;

  public AdminClient client(Map<String, String> environment) {
    String text = server;
    String source = "--server";
    if (text == null && !environment.getOrDefault(SERVER, "").isEmpty()) {
      text = environment.get(SERVER);
      source = SERVER;
    }
    return new AdminClient(url(source, text == null ? DEFAULT : text), token(environment));
  }

  private URL url(String source, String text) {
    try {
      URI uri = new URI(text);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      if ((scheme.equals("http") || scheme.equals("https"))
          && uri.getHost() != null
          && uri.getUserInfo() == null
          && uri.getRawQuery() == null
          && uri.getRawFragment() == null) {
        String path = uri.getRawPath();
        return new URI(
                text.substring(0, text.length() - path.length()) + path.replaceAll("/+$", ""))
            .toURL();
      }
    } catch (URISyntaxException | MalformedURLException e) {
      // the same answer as below
    }
    throw new ParameterException(
        spec.commandLine(), source + ": '" + text + "' (expected: http://HOST:PORT)");
  }

  private String token(Map<String, String> environment) {
    if (tokenFile == null) {
      return environment.getOrDefault(TOKEN, "").strip();
    }
    try {
      return Files.readString(tokenFile).strip();
    } catch (NoSuchFileException e) {
      throw new CommandException("--token-file: " + tokenFile + ": there is no such file", e);
    } catch (IOException e) {
      throw new CommandException("--token-file: " + tokenFile + " cannot be read: " + e, e);
    }
  }
}
