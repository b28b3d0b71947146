// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.fleet;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.translate.TranslatedObject;
import java.util.Collection;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All connected proxies, whichever rollout they belong to. */
public interface ProxyFleet {
  /** By node. */
  Collection<Member> members();

  /** Those of them that have ever refused something. */
  Collection<Member> refusing();

  /** A connected proxy; null if it is not there. */
  @Nullable Member member(String node);

  /**
   * A connected proxy.
   *
   * @param connection another number each time the node comes back
   */
  record Member(String node, String proxyClass, long connection) {}

  /** Whether a proxy came running something that it did not get from what is shown. */
  default boolean isAdopted(String node) {
    return false;
  }

  /**
   * Whether a proxy has run all that it was shown since it came, or came running something: to be
   * shown less would take it away.
   */
  default boolean hasSomethingToLose(String node) {
    return isAdopted(node);
  }

  /**
   * What a proxy makes of all that it is shown.
   *
   * @param excused what it may refuse without that being held against anybody
   */
  Verdict verdict(String node, Predicate<Resource> excused);

  /** What a proxy makes of one resource, whatever it is shown. */
  Opinion opinion(String node, Resource resource);

  /** Whether a proxy runs all parts of an object that it has a use for. */
  boolean runs(String node, TranslatedObject object);

  /** What a proxy makes of a resource. */
  enum Opinion {
    RUNS,
    REFUSED,
    /** It has not said anything yet, and may. */
    OPEN,
    /** It has no use for it. */
    UNCONCERNED
  }

  /** Shows something to all proxies but those of classes that are shown something by themselves. */
  void show(Snapshot baseline, Set<String> canaries, Snapshot trial);

  /** Shows something to the proxies of one class. */
  void showClass(String proxyClass, Snapshot baseline, Set<String> canaries, Snapshot trial);

  /** Shows the proxies of a class what all others see. */
  void joinClass(String proxyClass);
}
