// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import java.util.ArrayList;
import java.util.List;

/**
 * What peers may use up. docs/serve.md describes each limit under the same name.
 *
 * @param nodeId the bytes of a node id
 * @param agent the bytes of each other text that says who a node is: cluster, agent, version, group
 * @param node the bytes of a whole node, with metadata and extensions
 * @param errorText the characters of an error text that are read; the rest is dropped
 * @param nameLength the bytes of a resource name
 * @param names the names that one stream subscribes to
 * @param versions the versions that a reconnecting client may name in one request
 * @param namesInAll the names that all streams subscribe to
 * @param requestsPerSecond the requests of one stream, with a burst of ten times as many
 * @param streamsPerPeer the open streams of one network address
 * @param streams the open streams in all
 * @param streamsPerSecond the streams that one network address opens, with a burst of ten times as
 *     many
 * @param waitingBytes the bytes of all requests that have not been handled yet, received in part or
 *     whole
 */
public record AdsLimits(
    int nodeId,
    int agent,
    int node,
    int errorText,
    int nameLength,
    int names,
    int versions,
    int namesInAll,
    int requestsPerSecond,
    int streamsPerPeer,
    int streams,
    int streamsPerSecond,
    int waitingBytes) {
  /** What a stream costs, with the buffers of its connection. */
  private static final long BYTES_PER_STREAM = 32 << 10;

  /** What a subscribed name costs. A request with short names takes ten times its own size. */
  private static final long BYTES_PER_NAME = 512;

  /** The usual limits; those in all depend on the memory of this process. */
  public static AdsLimits defaults() {
    return of(Runtime.getRuntime().maxMemory());
  }

  /** The usual limits for a process with so many bytes of memory. */
  static AdsLimits of(long memory) {
    int streams = atMost(20_000, memory / BYTES_PER_STREAM);
    return new AdsLimits(
        /* nodeId= */ 512,
        /* agent= */ 256,
        /* node= */ 1 << 20,
        /* errorText= */ 8192,
        /* nameLength= */ 4096,
        /* names= */ 20_000,
        /* versions= */ 100_000,
        atMost(20_000_000, memory / BYTES_PER_NAME),
        /* requestsPerSecond= */ 100,
        atMost(2_000, streams / 2),
        streams,
        /* streamsPerSecond= */ 200,
        atMost(64 << 20, memory / 32));
  }

  private static int atMost(long most, long wanted) {
    return (int) Math.min(most, wanted);
  }

  /** The names of the limits, as they are written in options. */
  public static final List<String> NAMES =
      List.of(
          "nodeId",
          "agent",
          "node",
          "errorText",
          "nameLength",
          "names",
          "versions",
          "namesInAll",
          "requestsPerSecond",
          "streamsPerPeer",
          "streams",
          "streamsPerSecond",
          "waitingBytes");

  private List<Integer> values() {
    return List.of(
        nodeId,
        agent,
        node,
        errorText,
        nameLength,
        names,
        versions,
        namesInAll,
        requestsPerSecond,
        streamsPerPeer,
        streams,
        streamsPerSecond,
        waitingBytes);
  }

  /** The same with another value of one limit. */
  public AdsLimits with(String name, int value) {
    List<Integer> next = new ArrayList<>(values());
    next.set(NAMES.indexOf(name), value);
    return new AdsLimits(
        next.get(0),
        next.get(1),
        next.get(2),
        next.get(3),
        next.get(4),
        next.get(5),
        next.get(6),
        next.get(7),
        next.get(8),
        next.get(9),
        next.get(10),
        next.get(11),
        next.get(12));
  }
}
