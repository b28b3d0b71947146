// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import com.google.protobuf.Message;
import dev.holdfast.testkit.ManualTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.stream.Collectors;

/** What happened in a run, for people: its end, and a sum over all of it. */
final class Tape {
  private static final int KEPT = Integer.getInteger("holdfast.simulation.tape", 40);

  private final ManualTime time;
  private final Deque<Event> last = new ArrayDeque<>();
  private long events;
  private long sum;

  /**
   * @param what is put into words only if somebody wants to read it
   */
  private record Event(long number, long nanos, Object what) {
    @Override
    public String toString() {
      String text = what instanceof Network.Delivery delivery ? Words.of(delivery) : "" + what;
      return "%,8d %10.3f s  %s".formatted(number, nanos / 1e9, text);
    }
  }

  Tape(ManualTime time) {
    this.time = time;
  }

  void note(String event) {
    note(event, event.hashCode());
  }

  void note(Network.Delivery delivery) {
    Message message = delivery.message();
    int size = message == null ? 0 : message.getSerializedSize();
    note(delivery, 31 * delivery.link().toString().hashCode() + size);
  }

  private void note(Object what, int hash) {
    events++;
    sum = sum * 31 + hash;
    last.add(new Event(events, time.nanoTime(), what));
    if (last.size() > KEPT) {
      last.remove();
    }
  }

  long events() {
    return events;
  }

  /** Two runs are the same if this is. */
  long sum() {
    return sum;
  }

  @Override
  public String toString() {
    return last.stream().map(Event::toString).collect(Collectors.joining("\n"));
  }
}
