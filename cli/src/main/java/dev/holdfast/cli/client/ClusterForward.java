// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.cli.CommandException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A way to the admin port of the replica that leads in a cluster: {@code kubectl port-forward},
 * which no NetworkPolicy is in the way of. It ends with this process.
 *
 * @param url where the admin port can be reached
 * @param token of the admin port; empty if none was found
 */
record ClusterForward(String url, String token) {
  /** Where the manifests have the admin port, and its token. */
  private static final int ADMIN_PORT = 19000;

  private static final String TOKEN_FILE = "/run/holdfast/admin.token";

  /** A replica is called after its pod, and has a suffix because a pod may restart. */
  private static final Pattern IDENTITY = Pattern.compile("(.+)-[0-9a-f]{8}");

  private static final Pattern FORWARDING =
      Pattern.compile("Forwarding from 127\\.0\\.0\\.1:(\\d+) -> .*");

  /**
   * @param name of the Lease, which is that of the state
   * @param knownToken empty to ask the cluster for it
   * @throws CommandException if there is no way
   */
  static ClusterForward open(Kubectl kubectl, String namespace, String name, String knownToken) {
    String pod = leader(kubectl, namespace, name);
    String token = knownToken.isEmpty() ? token(kubectl, namespace, name, pod) : knownToken;
    return new ClusterForward("http://127.0.0.1:" + forward(kubectl, namespace, pod), token);
  }

  private static String leader(Kubectl kubectl, String namespace, String name) {
    String identity =
        kubectl.run(
            List.of("get", "lease", name, "-n", namespace, "-o=jsonpath={.spec.holderIdentity}"));
    Matcher matcher = IDENTITY.matcher(identity);
    if (!matcher.matches()) {
      throw new CommandException(
          "Lease "
              + namespace
              + "/"
              + name
              + ": no replica of Holdfast leads"
              + (identity.isEmpty() ? "" : ", but '" + identity + "'"));
    }
    return matcher.group(1);
  }

  /** That of the Secret if there is one, else the one that the pod made for itself. */
  private static String token(Kubectl kubectl, String namespace, String name, String pod) {
    Kubectl.Run secret =
        kubectl.attempt(
            List.of(
                "get", "secret", name + "-admin", "-n", namespace, "-o=jsonpath={.data.token}"));
    if (secret.succeeded() && !secret.out().isEmpty()) {
      return new String(Base64.getDecoder().decode(secret.out()), UTF_8).strip();
    }
    Kubectl.Run file =
        kubectl.attempt(
            List.of(
                "exec",
                "-n",
                namespace,
                pod,
                "-c",
                "holdfast",
                "--",
                "sh",
                "-c",
                "read -r token <" + TOKEN_FILE + " && echo \"$token\""));
    if (!file.succeeded()) {
      throw new CommandException(
          "the token of the admin port cannot be read: no Secret "
              + namespace
              + "/"
              + name
              + "-admin that you may read, and from pod "
              + pod
              + ": "
              + file.err()
              + " (expected: a right to one of these, --token-file FILE, or HOLDFAST_TOKEN)");
    }
    return file.out().strip();
  }

  private static int forward(Kubectl kubectl, String namespace, String pod) {
    List<String> arguments =
        List.of("port-forward", "-n", namespace, "pod/" + pod, ":" + ADMIN_PORT);
    Process process = kubectl.start(arguments);
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroy, "holdfast-port-forward"));
    BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    try {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        Matcher matcher = FORWARDING.matcher(line);
        if (matcher.matches()) {
          discard(out);
          return Integer.parseInt(matcher.group(1));
        }
      }
      throw kubectl.failure(
          arguments, new String(process.getErrorStream().readAllBytes(), UTF_8).strip());
    } catch (IOException e) {
      throw kubectl.failure(arguments, String.valueOf(e.getMessage()));
    }
  }

  /** It has a line to say for each connection, and would wait for a reader. */
  private static void discard(BufferedReader out) {
    Thread reader =
        new Thread(
            () -> {
              try {
                while (out.readLine() != null) {
                  // nothing that the user has to know
                }
              } catch (IOException e) {
                // the forward has ended
              }
            },
            "holdfast-port-forward-output");
    reader.setDaemon(true);
    reader.start();
  }
}
