// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.attribution;

import dev.holdfast.benchmarks.attribution.AttributionResult.Cell;
import dev.holdfast.benchmarks.attribution.AttributionResult.Confirmation;
import dev.holdfast.benchmarks.attribution.AttributionResult.PerPush;
import dev.holdfast.benchmarks.report.Samples;
import dev.holdfast.benchmarks.servers.Objects;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/** The measurements, one after the other. */
final class Attribution {
  private static final int SERVICES = 100;
  private static final List<Integer> FLEETS = List.of(1, 2, 3, 10);
  private static final int CHANGED_IN_A_FLEET = 100;

  private final AttributionOptions options;
  private final PrintStream progress;

  Attribution(AttributionOptions options, PrintStream progress) {
    this.options = options;
    this.progress = progress;
  }

  AttributionResult run() {
    List<Cell> cells = new ArrayList<>();
    List<PerPush> perPush = new ArrayList<>();
    for (int size : options.sizes()) {
      Hosts hosts = Hosts.of(size);
      for (int badObjects : options.badObjects()) {
        progress.printf("%,d changes, %d bad ...%n", size, badObjects);
        cells.add(cell(hosts, badObjects));
      }
    }
    int most = Collections.max(options.sizes());
    for (int changed : List.of(most / 100, most)) {
      progress.printf("CPU per push: %,d of %,d ...%n", changed, most);
      perPush.add(perPush(Hosts.of(most), Math.max(2, changed)));
    }
    List<Confirmation> confirmations = new ArrayList<>();
    for (int proxies : FLEETS) {
      progress.printf("confirmation: %d proxies ...%n", proxies);
      confirmations.add(confirmation(proxies, /* changed= */ 1, /* badObjects= */ 0));
      confirmations.add(confirmation(proxies, CHANGED_IN_A_FLEET, /* badObjects= */ 1));
    }
    return new AttributionResult(List.of(setting()), cells, perPush, confirmations);
  }

  /** What all hosts need, and the hosts, in the order of their names. */
  private record Hosts(
      SortedMap<ObjectKey, ConfigObject> others, SortedMap<ObjectKey, ConfigObject> hosts) {
    static Hosts of(int size) {
      SortedMap<ObjectKey, ConfigObject> others = Objects.hosts(0, Math.min(size, SERVICES));
      SortedMap<ObjectKey, ConfigObject> hosts = Objects.hosts(size, Math.min(size, SERVICES));
      hosts.keySet().removeAll(others.keySet());
      return new Hosts(others, hosts);
    }

    /** Some of them, at random. */
    SortedSet<ObjectKey> pick(int count, long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      List<ObjectKey> keys = new ArrayList<>(hosts.keySet());
      SortedSet<ObjectKey> picked = new TreeSet<>();
      while (picked.size() < Math.min(count, keys.size())) {
        picked.add(keys.get(random.nextInt(keys.size())));
      }
      return picked;
    }
  }

  /** All hosts are new, and some of them bad. */
  private Cell cell(Hosts hosts, int badObjects) {
    int size = hosts.hosts.size();
    int seeds = options.seeds(size);
    long sum = 0;
    int most = 0;
    for (int seed = 0; seed < seeds; seed++) {
      SearchRun run = new SearchRun(hosts.pick(badObjects, seed)).serve(hosts.others);
      int pushes = run.change(hosts.hosts).pushes();
      sum += pushes;
      most = Math.max(most, pushes);
    }
    return new Cell(size, badObjects, seeds, (double) sum / seeds, most);
  }

  /**
   * Of many hosts some are changed, one of them for the worse. Half as many before those that count
   * are thrown away.
   */
  private PerPush perPush(Hosts hosts, int changed) {
    int rounds = Math.max(3, options.seeds(hosts.hosts.size()));
    double[] millis = new double[rounds];
    double[] kibibytes = new double[rounds];
    for (int round = -(rounds + 1) / 2; round < rounds; round++) {
      SortedMap<ObjectKey, ConfigObject> edits = new TreeMap<>();
      hosts.pick(changed, /* seed= */ 1_000 + round).forEach(key -> edits.put(key, edit(key)));
      SortedSet<ObjectKey> bad = new TreeSet<>();
      bad.add(new ArrayList<>(edits.keySet()).get(Math.floorMod(round * 7919, edits.size())));
      SortedMap<ObjectKey, ConfigObject> before = new TreeMap<>(hosts.others);
      before.putAll(hosts.hosts);
      before.keySet().removeAll(edits.keySet());
      SearchRun.Cost cost = new SearchRun(bad).serve(before).change(edits);
      if (round >= 0) {
        millis[round] = cost.cpuMillis() / cost.pushes();
        kibibytes[round] = cost.kibibytes() / cost.pushes();
      }
    }
    return new PerPush(hosts.hosts.size(), changed, new Samples(millis), new Samples(kibibytes));
  }

  /** Some new hosts among others, with a second proxy that is asked, and without. */
  private static Confirmation confirmation(int proxies, int changed, int badObjects) {
    Hosts hosts = Hosts.of(SERVICES);
    SortedSet<ObjectKey> picked = hosts.pick(changed, /* seed= */ 1);
    SortedMap<ObjectKey, ConfigObject> before = new TreeMap<>(hosts.others);
    before.putAll(hosts.hosts);
    before.keySet().removeAll(picked);
    SortedMap<ObjectKey, ConfigObject> edits = new TreeMap<>(hosts.hosts);
    edits.keySet().retainAll(picked);
    SortedSet<ObjectKey> bad = badObjects == 0 ? new TreeSet<>() : hosts.pick(badObjects, 2);
    return new Confirmation(
        proxies,
        changed,
        badObjects,
        new ConfirmationRun(proxies, /* voters= */ 1, bad).serve(before).change(edits),
        new ConfirmationRun(proxies, proxies, bad).serve(before).change(edits));
  }

  private static ConfigObject edit(ObjectKey key) {
    int index = Integer.parseInt(key.name().substring(key.name().lastIndexOf('-') + 1));
    return Objects.host(index, index % SERVICES, 20);
  }

  private static String setting() {
    return String.format(
        Locale.ROOT,
        "%s %s, %d cores",
        System.getProperty("java.vm.name"),
        Runtime.version(),
        Runtime.getRuntime().availableProcessors());
  }
}
