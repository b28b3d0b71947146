// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.odd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.TestResources;
import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.translate.TranslatedObject;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Until it is known what an odd proxy cannot run, nothing is taken away from it. */
class OddFleetTest {
  private static final ProxyFleet.Member ODD =
      new ProxyFleet.Member("odd", "envoy", /* connection= */ 1);
  private static final Resource OLD = TestResources.cluster("x", "old");
  private static final Resource NEW = TestResources.cluster("x", "new");
  private static final Snapshot EARLIER = Snapshot.empty().with(OLD);
  private static final Snapshot OF_CLASS = Snapshot.empty().with(NEW);

  private final OneProxy proxy = new OneProxy();
  private final OddFleet fleet = new OddFleet(proxy, ODD, () -> OF_CLASS);

  @Test
  void itKeepsItsOwnVersionOfWhatItDoesNotRunAsItsClassDoes() {
    proxy.mayRun.add(OLD);

    fleet.show(EARLIER, Set.of(), EARLIER);

    assertThat(proxy.own).containsExactly(OLD.id());
  }

  @Test
  void itKeepsWhatATrialBroughtItThoughTheTrialEndsBeforeItHasAnswered() {
    proxy.mayRun.add(OLD);
    fleet.show(EARLIER, Set.of(), EARLIER);
    fleet.show(EARLIER, Set.of("odd"), OF_CLASS);
    proxy.mayRun.add(NEW); // it is on its way

    fleet.show(EARLIER, Set.of(), EARLIER); // something else of the trial was refused

    assertThat(proxy.own).isEmpty();
  }

  @Test
  void onceItRefusesThatItGetsItsOwnAgain() {
    itKeepsWhatATrialBroughtItThoughTheTrialEndsBeforeItHasAnswered();
    proxy.mayRun.remove(NEW);

    fleet.publish();

    assertThat(proxy.own).containsExactly(OLD.id());
  }

  @Test
  void aSelectionThatWillBeReplacedIsShownAsATrialIs() {
    fleet.show(EARLIER, Set.of(), EARLIER);
    assertThat(proxy.onTrial).isFalse();

    fleet.awaitAnother();
    assertThat(proxy.onTrial).as("no routes to a cluster that it refuses").isTrue();

    fleet.stay();
    assertThat(proxy.onTrial).isFalse();
  }

  private static final class OneProxy implements ProxyFleet {
    /** What it runs, or was sent last. */
    final Set<Resource> mayRun = new HashSet<>();

    /** Of which resources it is shown its own version. */
    Set<ResourceId> own = Set.of();

    boolean onTrial;

    @Override
    public void showProxy(
        String node, Snapshot selection, @Nullable Set<ResourceId> only, boolean trial) {
      own = only == null ? Set.of() : only;
      onTrial = trial;
    }

    @Override
    public boolean mayRun(String node, Resource resource) {
      return mayRun.contains(resource);
    }

    @Override
    public Collection<Member> members() {
      return List.of(ODD);
    }

    @Override
    public Collection<Member> refusing() {
      return List.of();
    }

    @Override
    public @Nullable Member member(String node) {
      return ODD;
    }

    @Override
    public Verdict verdict(String node, Predicate<Resource> excused) {
      return Verdict.OPEN;
    }

    @Override
    public Opinion opinion(String node, Resource resource) {
      return Opinion.OPEN;
    }

    @Override
    public boolean runs(String node, TranslatedObject object) {
      return false;
    }

    @Override
    public Collection<Resource> refused(String node, Snapshot of) {
      return List.of();
    }

    @Override
    public @Nullable Resource running(String node, ResourceId id) {
      return null;
    }

    @Override
    public void show(Snapshot baseline, Set<String> canaries, Snapshot trial) {}

    @Override
    public void showClass(
        String proxyClass, Snapshot baseline, Set<String> canaries, Snapshot trial) {}

    @Override
    public void joinClass(String proxyClass) {}

    @Override
    public void joinProxy(String node) {}
  }
}
