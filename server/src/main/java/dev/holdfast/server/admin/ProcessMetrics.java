// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.OperatingSystemMXBean;
import java.util.Comparator;

/** The metrics of the process, under their customary names. */
final class ProcessMetrics {
  private static final String GAUGE = "gauge";

  void write(PrometheusText text) {
    text.family(
            "process_start_time_seconds",
            GAUGE,
            "Start time of the process, in seconds since 1970.")
        .sample(ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3);
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    if (system instanceof com.sun.management.OperatingSystemMXBean known) {
      text.family("process_cpu_seconds_total", "counter", "CPU time used by the process.")
          .sample(known.getProcessCpuTime() / 1e9);
    }
    if (system instanceof com.sun.management.UnixOperatingSystemMXBean unix) {
      text.family("process_open_fds", GAUGE, "Open file descriptors.")
          .sample(unix.getOpenFileDescriptorCount());
      text.family("process_max_fds", GAUGE, "Limit of open file descriptors.")
          .sample(unix.getMaxFileDescriptorCount());
    }
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    text.family("jvm_memory_used_bytes", GAUGE, "Memory used by the JVM.")
        .sample(memory.getHeapMemoryUsage().getUsed(), "area", "heap")
        .sample(memory.getNonHeapMemoryUsage().getUsed(), "area", "nonheap");
    text.family("jvm_memory_max_bytes", GAUGE, "Memory limit of the JVM; -1 if unlimited.")
        .sample(memory.getHeapMemoryUsage().getMax(), "area", "heap")
        .sample(memory.getNonHeapMemoryUsage().getMax(), "area", "nonheap");
    text.family("jvm_threads_current", GAUGE, "Live threads.")
        .sample(ManagementFactory.getThreadMXBean().getThreadCount());
    text.family("jvm_gc_collection_seconds", "summary", "Time spent in garbage collection.");
    ManagementFactory.getGarbageCollectorMXBeans().stream()
        .sorted(Comparator.comparing(GarbageCollectorMXBean::getName))
        .forEach(
            collector ->
                text.part("_sum", collector.getCollectionTime() / 1e3, "gc", collector.getName())
                    .part("_count", collector.getCollectionCount(), "gc", collector.getName()));
  }
}
