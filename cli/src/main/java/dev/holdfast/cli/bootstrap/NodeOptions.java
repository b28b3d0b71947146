// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.bootstrap;

import dev.holdfast.server.options.ListenAddress;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the node's identity and its control plane. */
@SuppressWarnings("NullAway.Init") // picocli sets what it must
final class NodeOptions {
  @Spec(Spec.Target.MIXEE)
  CommandSpec spec;

  @Option(
      names = "--xds-address",
      paramLabel = "HOST:PORT",
      description = "The xDS address of the control plane. Default: ${DEFAULT-VALUE}.")
  String xdsAddress = "127.0.0.1:18000";

  @Option(
      names = "--node",
      paramLabel = "ID",
      description =
          "The node id; each proxy or application needs its own. Default: HOSTNAME with the suffix"
              + " -envoy or -grpc; without HOSTNAME a random id, different each time.")
  @Nullable String node;

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      description = "The node's cluster, which is a group of nodes. Default: ${DEFAULT-VALUE}.")
  String cluster = "holdfast";

  ListenAddress server() {
    try {
      ListenAddress address = ListenAddress.parse(xdsAddress);
      if (address.port() != 0) {
        return address;
      }
    } catch (IllegalArgumentException e) {
      // the same answer as below
    }
    throw bad("--xds-address: '" + xdsAddress + "' (expected: HOST:PORT, from port 1 to 65535)");
  }

  /**
   * The node id. Without an option, it is the name of the host with a word for what it is. Without
   * the name of the host (a shell seldom exports HOSTNAME) it is random: two proxies of one machine
   * must not be the same node. It is stable because it is part of the printed file.
   */
  String node(String sort, @Nullable String host) {
    if ((node != null && node.isEmpty()) || cluster.isEmpty()) {
      throw bad("--node and --cluster: empty (expected: a name for each, Envoy requires both)");
    }
    if (node != null) {
      return node;
    }
    return host == null || host.isEmpty()
        ? sort + "-" + HexFormat.of().toHexDigits(new SecureRandom().nextInt())
        : host + "-" + sort;
  }

  ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
