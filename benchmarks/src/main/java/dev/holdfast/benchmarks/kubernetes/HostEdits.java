// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Edits hosts, each time with a value of its own. The last host is never edited. */
final class HostEdits {
  private static final int STORM_EDITS_PER_SECOND = 100;
  private static final int STORM_EDITORS = 4;

  private int edit;

  /** Edits one host, and waits until a request is answered by that. */
  void single(
      Api api,
      int hosts,
      ControlPlane side,
      RunningSide running,
      SideResult result,
      boolean counts) {
    int host = nextHost(hosts);
    String value = Integer.toString(edit);
    long from = System.nanoTime();
    Objects.edit(api, side.namespace(), host, value);
    long stored = System.nanoTime();
    long answered = running.awaitEdit(host, value);
    if (counts) {
      result.edits.add((answered - from) / 1e6);
      result.stored.add((stored - from) / 1e6);
    }
  }

  private int nextHost(int hosts) {
    edit++;
    return (int) (edit * 7919L % (hosts - 1));
  }

  /** Edits of different hosts at a steady rate, as far as the API server can follow. */
  void storm(
      Api api, int hosts, ControlPlane side, RunningSide running, SideResult result, int seconds) {
    int count = seconds * STORM_EDITS_PER_SECOND;
    int first = edit + 1;
    edit += count;
    int last = edit;
    long cpu = running.plane().cpuMillis();
    long envoyCpu = running.envoy().cpuMillis();
    long from = System.nanoTime();
    long[] lastSent = new long[1];
    double[] most = new double[1];
    ExecutorService editors = Executors.newFixedThreadPool(STORM_EDITORS);
    try {
      List<CompletableFuture<Void>> sent = new ArrayList<>();
      for (int i = 0; i < count - 1; i++) {
        int number = first + i;
        long due = from + i * (1_000_000_000L / STORM_EDITS_PER_SECOND);
        while (due - System.nanoTime() > 0) {
          Patience.pause(due - System.nanoTime());
        }
        sent.add(
            CompletableFuture.runAsync(
                () ->
                    Objects.edit(
                        api, side.namespace(), number % (hosts - 1), Integer.toString(number)),
                editors));
        if (i % 10 == 0) {
          most[0] = Math.max(most[0], running.plane().residentKib() / 1024.0);
        }
      }
      CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).join();
      lastSent[0] = System.nanoTime();
      Objects.edit(api, side.namespace(), last % (hosts - 1), Integer.toString(last));
    } finally {
      editors.shutdownNow();
    }
    double lasted = (System.nanoTime() - from) / 1e9;
    long answered = running.awaitEdit(last % (hosts - 1), Integer.toString(last));
    result.stormLast = (answered - lastSent[0]) / 1e6;
    result.stormEditsPerSecond = count / lasted;
    double all = (answered - from) / 1e9;
    result.stormCpu = (running.plane().cpuMillis() - cpu) / all;
    result.stormEnvoyCpu = (running.envoy().cpuMillis() - envoyCpu) / all;
    result.stormMostMib = Math.max(most[0], running.plane().residentKib() / 1024.0);
  }
}
