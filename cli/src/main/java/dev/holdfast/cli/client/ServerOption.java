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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the control plane's admin API. */
@SuppressWarnings("NullAway.Init") // picocli sets what it must
public final class ServerOption {
  static final String DEFAULT = "http://127.0.0.1:19000";
  private static final String SERVER = "HOLDFAST_SERVER";
  private static final String TOKEN = "HOLDFAST_TOKEN";

  /** A control plane in a cluster, by the place of its state. */
  private static final Pattern IN_CLUSTER =
      Pattern.compile("kubernetes:([a-z0-9][-a-z0-9]{0,62})/([a-z0-9][-.a-z0-9]{0,252})");

  @Spec(Spec.Target.MIXEE)
  CommandSpec spec;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description =
          "The URL of the control plane's admin API, or kubernetes:NAMESPACE/NAME for the replica"
              + " that leads in a cluster, which kubectl then makes a connection to. Default:"
              + " $HOLDFAST_SERVER, else "
              + DEFAULT
              + ".")
  @Nullable String server;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "A file with the admin API token. Default: the token in $HOLDFAST_TOKEN, if set.")
  @Nullable Path tokenFile;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description =
          "The authorities, PEM, that sign the certificate of the admin API, for https. Default:"
              + " those that Java trusts.")
  @Nullable Path ca;

  @Option(
      names = "--certificate",
      paramLabel = "FILE",
      description = "The certificate, PEM, to show to the admin API, for https. Default: none.")
  @Nullable Path certificate;

  @Option(names = "--key", paramLabel = "FILE", description = "The key of that certificate, PEM.")
  @Nullable Path key;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description =
          "The context of the kubeconfig for --server kubernetes:... Default: the current one.")
  @Nullable String context;

  public AdminClient client(Map<String, String> environment) {
    Place place = place(environment);
    Matcher cluster = IN_CLUSTER.matcher(place.text());
    if (cluster.matches()) {
      ClusterForward forward =
          ClusterForward.open(
              kubectl(environment), cluster.group(1), cluster.group(2), token(environment));
      return new AdminClient(url(place.source(), forward.url()), forward.token(), null);
    }
    if (context != null) {
      throw new ParameterException(
          spec.commandLine(),
          "--context: "
              + context
              + " without a cluster (expected: --server kubernetes:NAMESPACE/NAME)");
    }
    URL url = url(place.source(), place.text());
    return new AdminClient(url, token(environment), tls(url));
  }

  private @Nullable SSLSocketFactory tls(URL url) {
    if (ca == null && certificate == null && key == null) {
      return null;
    }
    if (!url.getProtocol().equals("https")) {
      throw new ParameterException(
          spec.commandLine(),
          "--ca, --certificate or --key without TLS (expected: --server https://...)");
    }
    if ((certificate == null) != (key == null)) {
      throw new ParameterException(
          spec.commandLine(), "--certificate without --key, or the reverse (expected: both)");
    }
    return AdminTls.of(ca, certificate, key);
  }

  /** Whether the control plane is one in a cluster that {@link #kubectl} reaches. */
  public boolean isInCluster(Map<String, String> environment) {
    return IN_CLUSTER.matcher(place(environment).text()).matches();
  }

  /** For the cluster that the control plane is in. */
  public Kubectl kubectl(Map<String, String> environment) {
    return new Kubectl(environment, context);
  }

  /**
   * What was said, and where.
   *
   * @param source for messages
   */
  private record Place(String source, String text) {}

  private Place place(Map<String, String> environment) {
    String text = server;
    String source = "--server";
    if (text == null && !environment.getOrDefault(SERVER, "").isEmpty()) {
      text = environment.get(SERVER);
      source = SERVER;
    }
    return new Place(source, text == null ? DEFAULT : text);
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
        spec.commandLine(),
        source
            + ": '"
            + text
            + "' (expected: http://HOST:PORT, https://HOST:PORT, or kubernetes:NAMESPACE/NAME)");
  }

  private String token(Map<String, String> environment) {
    if (tokenFile == null) {
      return environment.getOrDefault(TOKEN, "").strip();
    }
    try {
      return Files.readString(tokenFile).strip();
    } catch (NoSuchFileException e) {
      throw new CommandException("--token-file: " + tokenFile + ": no such file", e);
    } catch (IOException e) {
      throw new CommandException("--token-file: " + tokenFile + " cannot be read: " + e, e);
    }
  }
}
