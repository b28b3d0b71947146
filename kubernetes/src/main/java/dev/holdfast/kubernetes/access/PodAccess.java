// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.access;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What every pod is given: an address in its environment, a token and a CA as files. */
public final class PodAccess {
  private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  private PodAccess() {}

  /** Whether this process runs in a pod. */
  public static boolean isPod(Map<String, String> environment) {
    return environment.containsKey("KUBERNETES_SERVICE_HOST");
  }

  public static ClusterAccess of(Map<String, String> environment) throws AccessException {
    return of(environment, ACCOUNT);
  }

  static ClusterAccess of(Map<String, String> environment, Path account) throws AccessException {
    String host = environment.getOrDefault("KUBERNETES_SERVICE_HOST", "");
    String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
    if (host.isEmpty()) {
      throw new AccessException(
          "KUBERNETES_SERVICE_HOST: not set (expected: the environment of a pod, or --kubeconfig)");
    }
    Path token = account.resolve("token");
    if (!Files.isReadable(token)) {
      throw new AccessException(
          token
              + ": cannot be read (expected: a pod whose service account token is mounted, or"
              + " --kubeconfig)");
    }
    byte[] ca;
    try {
      ca = Files.readAllBytes(account.resolve("ca.crt"));
    } catch (IOException e) {
      throw new AccessException(account.resolve("ca.crt") + ": cannot be read", e);
    }
    String shown = host.contains(":") ? "[" + host + "]" : host;
    return new ClusterAccess(
        URI.create("https://" + shown + ":" + port),
        TlsSettings.trusting(ca).context(),
        new TokenFile(token));
  }
}
