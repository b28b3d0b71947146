// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;

/**
 * An application that knows nothing of Holdfast: it makes one call to a target and says how that
 * ended. What it uses is on its class path, and its bootstrap in the environment.
 */
final class CallMain {
  private CallMain() {}

  public static void main(String[] args) {
    ManagedChannel channel =
        Grpc.newChannelBuilder(args[0], InsecureChannelCredentials.create()).build();
    Rpc.Outcome outcome = Rpc.call(channel);
    System.out.println(
        "outcome " + outcome.code() + " " + outcome.backend() + " " + outcome.text());
    channel.shutdownNow();
  }
}
