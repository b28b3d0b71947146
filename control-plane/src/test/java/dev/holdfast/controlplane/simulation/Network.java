// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All streams. Which of them moves next is chance; each by itself keeps its order. */
final class Network {
  private final Chance chance;
  private final List<Link> links = new ArrayList<>();

  Network(Chance chance) {
    this.chance = chance;
  }

  /**
   * Something that was delivered; the message is null if it was the beginning or end of a stream.
   */
  record Delivery(Link link, boolean up, @Nullable Message message) {}

  void add(Link link) {
    links.add(link);
  }

  boolean hasAny() {
    return links.stream().anyMatch(link -> link.hasUp() || link.hasDown());
  }

  /** Delivers something. */
  Delivery deliver(@Nullable Life life) {
    List<Link> up = links.stream().filter(Link::hasUp).toList();
    List<Link> down = links.stream().filter(Link::hasDown).toList();
    int which = chance.below(up.size() + down.size());
    Delivery delivery;
    if (which < up.size()) {
      Link link = up.get(which);
      delivery = new Delivery(link, true, link.deliverUp(life));
    } else {
      Link link = down.get(which - up.size());
      delivery = new Delivery(link, false, link.deliverDown());
    }
    links.removeIf(Link::isOver);
    return delivery;
  }

  /** How long anything has been waiting to be delivered, in nanoseconds. */
  long longestWait() {
    return links.stream().mapToLong(Link::waited).max().orElse(0);
  }

  /** Whether the control plane sees several streams of a peer, of different processes. */
  boolean overlaps(Peer owner) {
    return links.stream()
            .filter(link -> link.owner == owner && link.isServerOpen())
            .map(link -> link.process)
            .distinct()
            .count()
        > 1;
  }

  /** Whether the control plane sees a stream of a peer. */
  boolean isConnected(Peer peer) {
    return links.stream().anyMatch(link -> link.owner == peer && link.isServerOpen());
  }

  void serverDied() {
    links.forEach(link -> link.serverDied(chance.percent(50)));
  }
}
