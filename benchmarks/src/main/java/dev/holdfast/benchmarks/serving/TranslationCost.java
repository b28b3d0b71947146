// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.serving;

import com.sun.management.ThreadMXBean;
import dev.holdfast.benchmarks.report.Samples;
import dev.holdfast.benchmarks.servers.Objects;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.translate.Translation;
import dev.holdfast.controlplane.translate.TranslationOptions;
import java.lang.management.ManagementFactory;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the translation of one changed host costs, of many that share a route configuration.
 *
 * @param cpuMillis of the only thread that has a part in it
 * @param kibibytes that it allocated
 */
record TranslationCost(Samples cpuMillis, Samples kibibytes) {
  private static final int SERVICES = 100;

  static TranslationCost measure(int hosts, int warmups, int changes) {
    ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    int services = Math.min(hosts, SERVICES);
    Translation translation =
        Translation.empty(TranslationOptions.defaults())
            .with(new TreeMap<ObjectKey, @Nullable ConfigObject>(Objects.hosts(hosts, services)));
    double[] millis = new double[changes];
    double[] kibibytes = new double[changes];
    for (int i = -warmups; i < changes; i++) {
      ConfigObject object = ChangeToAck.host(i + warmups, hosts, services);
      SortedMap<ObjectKey, @Nullable ConfigObject> change = new TreeMap<>();
      change.put(object.key(), object);
      long allocated = threads.getCurrentThreadAllocatedBytes();
      long start = threads.getCurrentThreadCpuTime();
      translation = translation.with(change);
      if (i >= 0) {
        millis[i] = (threads.getCurrentThreadCpuTime() - start) / 1e6;
        kibibytes[i] = (threads.getCurrentThreadAllocatedBytes() - allocated) / 1024.0;
      }
    }
    return new TranslationCost(new Samples(millis), new Samples(kibibytes));
  }
}
