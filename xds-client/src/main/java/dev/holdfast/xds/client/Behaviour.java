// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the engine's behaviour that may be set.
 *
 * @param dataErrorHandling gRFC A88 and xRFC TP3; without it the rules of gRFC A53 and A57 apply
 * @param federation whether {@code xdstp:} names have meaning (gRFC A47)
 * @param resourceTimeout how long a server may take to send a resource before it is deemed not to
 *     exist
 * @param transientResourceTimeout the same for servers whose timer only means slowness
 * @param dispatchTimeout after which a stream that is still waiting for a connection is reported
 * @param youngStreamAge a stream that ends earlier than this is not restarted at once, even if it
 *     carried a response; one that lives longer counts as working, even if it carried none
 * @param backoff between attempts to open a stream, from the end of one to the start of the next
 * @param nackBackoff between the answers to a server that sends the same refused resources again
 *     and again
 */
public record Behaviour(
    boolean dataErrorHandling,
    boolean federation,
    Duration resourceTimeout,
    Duration transientResourceTimeout,
    Duration dispatchTimeout,
    Duration youngStreamAge,
    BackoffPolicy backoff,
    BackoffPolicy nackBackoff) {

  /** What the specifications say. */
  public static Behaviour defaults() {
    return new Behaviour(
        /* dataErrorHandling= */ true,
        /* federation= */ true,
        Duration.ofSeconds(15),
        Duration.ofSeconds(30),
        Duration.ofSeconds(30),
        Duration.ofSeconds(15),
        BackoffPolicy.defaults(),
        new BackoffPolicy(Duration.ofMillis(100), 1.6, Duration.ofSeconds(10), 0.2));
  }

  /** The defaults, changed by the switches that gRPC defines as environment variables. */
  public static Behaviour fromEnvironment(Map<String, String> environment) {
    return defaults()
        .withDataErrorHandling(isOn(environment.get("GRPC_EXPERIMENTAL_XDS_DATA_ERROR_HANDLING")))
        .withFederation(isOn(environment.get("GRPC_EXPERIMENTAL_XDS_FEDERATION")));
  }

  private static boolean isOn(@Nullable String value) {
    return value == null || !value.equalsIgnoreCase("false");
  }

  public Behaviour withDataErrorHandling(boolean on) {
    return new Behaviour(
        on,
        federation,
        resourceTimeout,
        transientResourceTimeout,
        dispatchTimeout,
        youngStreamAge,
        backoff,
        nackBackoff);
  }

  public Behaviour withFederation(boolean on) {
    return new Behaviour(
        dataErrorHandling,
        on,
        resourceTimeout,
        transientResourceTimeout,
        dispatchTimeout,
        youngStreamAge,
        backoff,
        nackBackoff);
  }

  public Behaviour withBackoff(BackoffPolicy backoff) {
    return new Behaviour(
        dataErrorHandling,
        federation,
        resourceTimeout,
        transientResourceTimeout,
        dispatchTimeout,
        youngStreamAge,
        backoff,
        nackBackoff);
  }

  public Behaviour withNackBackoff(BackoffPolicy nackBackoff) {
    return new Behaviour(
        dataErrorHandling,
        federation,
        resourceTimeout,
        transientResourceTimeout,
        dispatchTimeout,
        youngStreamAge,
        backoff,
        nackBackoff);
  }
}
