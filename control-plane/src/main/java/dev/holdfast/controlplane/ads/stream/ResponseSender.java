// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import com.google.protobuf.ByteString;
import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.ads.proxy.TypeStats;
import dev.holdfast.controlplane.ads.wire.Nonces;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.ads.wire.ResponseEncoder;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.Collections;
import java.util.function.Function;

/** Sends planned responses on the streams of all proxies. Loop only. */
public final class ResponseSender {
  private final TimeSource time;
  private final ResponseEncoder encoder;
  private final Function<ResourceType, TypeStats> stats;

  /**
   * Tells the versions of this server from those of an earlier one. No two streams are sent the
   * same version, so a proxy that names one when it reconnects says which stream it had.
   */
  private final String start;

  private final NextTableCache nextTables = new NextTableCache();

  public ResponseSender(
      TimeSource time, ResponseEncoder encoder, Function<ResourceType, TypeStats> stats) {
    this.time = time;
    this.encoder = encoder;
    this.stats = stats;
    this.start = Long.toString(time.now().toEpochMilli(), Character.MAX_RADIX);
  }

  void send(AdsStream stream, TypeStream typeStream, PlannedResponse planned, String nonce) {
    ResourceType type = typeStream.type();
    ResourceTable after = nextTables.after(typeStream.running(), planned);
    String version = Nonces.version(after.version(), start + "." + stream.id() + "." + nonce);
    ByteString bytes;
    if (stream.protocol() == Protocol.DELTA) {
      boolean envoy = stream.node().isEnvoy();
      if (envoy) {
        planned.removes.addAll(planned.missing.keySet());
      }
      bytes =
          encoder.delta(
              type,
              planned.sends.values(),
              planned.removes,
              version,
              nonce,
              envoy ? Collections.emptySortedMap() : planned.missing);
    } else if (stream.sendsFullState(type)) {
      bytes = encoder.sotw(type, after, version, nonce, planned.missing);
    } else {
      bytes = encoder.sotw(type, planned.sends.values(), version, nonce, planned.missing);
    }
    typeStream.sent(planned, nonce, version, after, time.nanoTime());
    stats.apply(type).sent(bytes.size());
    stream.sink().send(bytes);
  }

  /** A version is not sent because the proxy rejected it before. */
  void countSuppressed(ResourceType type) {
    stats.apply(type).countSuppressed();
  }
}
