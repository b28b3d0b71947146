// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Loop;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.Fleet;
import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.rollout.trial.RolloutOptions;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.translate.TranslatedObject;
import dev.holdfast.controlplane.translate.Translation;
import dev.holdfast.controlplane.translate.TranslationOptions;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How often proxies are asked, if each of many refuses something else. */
class BaselineRefusalsCostTest {
  private static final String CLASS = "a";

  private final ManualTime time = new ManualTime();
  private final Loop loop = new Loop(new ManualExecutor(), e -> {});

  /** Proxy number i refuses resource number i. */
  private static final class Liars implements ProxyFleet {
    final List<Member> members = new ArrayList<>();
    final List<Resource> resources;
    final Opinion ofOthers;
    long asked;

    /**
     * @param ofOthers what each makes of what the others refuse
     */
    Liars(List<Resource> resources, Opinion ofOthers) {
      this.resources = resources;
      this.ofOthers = ofOthers;
      for (int i = 0; i < resources.size(); i++) {
        members.add(new Member("e" + i, CLASS, i));
      }
    }

    private Resource refusedBy(String node) {
      return resources.get(Integer.parseInt(node.substring(1)));
    }

    @Override
    public Collection<Member> members() {
      return members;
    }

    @Override
    public Collection<Member> refusing() {
      return members;
    }

    @Override
    public @Nullable Member member(String node) {
      return members.get(Integer.parseInt(node.substring(1)));
    }

    @Override
    public Verdict verdict(String node, Predicate<Resource> excused) {
      asked++;
      return new Verdict.Refused(CLASS, "envoy", refusedBy(node), "no");
    }

    @Override
    public Opinion opinion(String node, Resource resource) {
      asked++;
      return refusedBy(node).equals(resource) ? Opinion.REFUSED : ofOthers;
    }

    @Override
    public Collection<Resource> refused(String node, Snapshot of) {
      asked++;
      return List.of(refusedBy(node));
    }

    @Override
    public boolean runs(String node, TranslatedObject object) {
      return true;
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
    public void showProxy(
        String node, Snapshot own, @Nullable Set<ResourceId> only, boolean trial) {}

    @Override
    public void joinProxy(String node) {}
  }

  /** A rollout whose baseline has a resource of its own for each of some hosts. */
  private Rollout rollout(int resources) {
    Fleet fleet = new Fleet();
    SortedMap<ObjectKey, @Nullable ConfigObject> objects = new TreeMap<>();
    List<ConfigObject> all = new ArrayList<>();
    for (int i = 0; i < resources; i++) {
      ConfigObject host = fleet.host("h" + i, "1");
      objects.put(host.key(), host);
      all.add(host);
    }
    Translation translation = Translation.empty(TranslationOptions.defaults()).with(objects);
    Rollout rollout =
        new Rollout(RolloutOptions.defaults(), translation, fleet, time, loop, fleet, text -> text);
    rollout.adopt(all, List.of(), (Trial) null);
    return rollout;
  }

  /** How often proxies are asked in one look at them. */
  private long cost(int proxies, ProxyFleet.Opinion ofOthers) {
    Rollout rollout = rollout(proxies);
    List<Resource> resources = new ArrayList<>();
    rollout.baseline().snapshot().byName(ResourceType.ROUTES).forEach(resources::add);
    resources.removeIf(resource -> resource.name().equals("ingress_http"));
    assertThat(resources).as("one for each").hasSize(proxies);
    Liars liars = new Liars(resources, ofOthers);
    DivergedProxies diverged = new DivergedProxies(time, text -> text, unused -> {});
    BaselineRefusals refusals =
        new BaselineRefusals(
            liars, diverged, new AwaitedProxies(time, loop, () -> {}), node -> false);
    refusals.refusingBaseline(unused -> rollout, unused -> false, (node, refused) -> false);
    if (ofOthers == ProxyFleet.Opinion.RUNS) {
      assertThat(diverged.all()).as("all but one, which is the class then").hasSize(proxies - 1);
    }
    return liars.asked;
  }

  @Test
  void itGrowsAsTheNumberOfProxiesDoes() {
    for (ProxyFleet.Opinion ofOthers : ProxyFleet.Opinion.values()) {
      long some = cost(200, ofOthers);
      long many = cost(800, ofOthers);
      System.out.printf("refusals: %s: 200 proxies %,d, 800 %,d%n", ofOthers, some, many);
      assertThat(many).as("%s", ofOthers).isLessThan(5 * some);
    }
  }
}
