// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MetricsTest {
  private static final Pattern COMMENT =
      Pattern.compile("# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)");
  private static final String LABEL = "[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\\n]|\\\\[\\\\\"n])*\"";
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{" + LABEL + "(?:," + LABEL + ")*})? (\\S+)");

  @Test
  void theNumbersOfTheControlPlaneAreThere() throws Exception {
    try (RunningAdmin admin = new RunningAdmin()) {
      HttpResponse<String> response = admin.get("/metrics");

      assertThat(response.headers().firstValue("Content-Type"))
          .contains("text/plain; version=0.0.4; charset=utf-8");
      assertThat(parse(response.body()))
          .containsEntry("holdfast_build_info{version=\"1.2.3\"}", 1.0)
          .containsEntry("holdfast_ready", 1.0)
          .containsEntry("holdfast_objects{kind=\"HTTPProxy\"}", 2.0)
          .containsEntry("holdfast_objects{kind=\"Service\"}", 3.0)
          .containsEntry("holdfast_objects_programmed{reason=\"Rejected\"}", 1.0)
          .containsEntry("holdfast_objects_invalid", 1.0)
          .containsEntry("holdfast_held_objects{reason=\"Rejected\"}", 1.0)
          .containsEntry("holdfast_held_objects{reason=\"RejectedNew\"}", 0.0)
          .containsEntry("holdfast_objects_state{state=\"partial\"}", 3.0)
          .containsEntry("holdfast_problems", 9.0)
          .containsEntry("holdfast_warnings", 2.0)
          .containsEntry("holdfast_search_pushes_total", 8.0)
          .containsEntry("holdfast_search_seconds_sum", 0.25)
          .containsEntry("holdfast_search_seconds_count", 2.0)
          .containsEntry("holdfast_diverged_proxies", 1.0)
          .containsEntry("holdfast_unable_proxies", 1.0)
          .containsEntry("holdfast_proxies", 2.0)
          .containsEntry("holdfast_streams", 3.0)
          .containsEntry("holdfast_source_problems", 7.0)
          .containsEntry("holdfast_suppressed_resources_total", 6.0)
          .containsEntry("holdfast_resources{type=\"Cluster\"}", 5.0)
          .containsEntry("holdfast_responses_total{type=\"Cluster\"}", 10.0)
          .containsEntry("holdfast_acks_total{type=\"Cluster\"}", 8.0)
          .containsEntry("holdfast_nacks_total{type=\"Cluster\",class=\"envoy 1.38.0\"}", 1.0)
          .containsEntry("holdfast_nacks_total{type=\"Cluster\",class=\"envoy 1.39.0\"}", 2.0)
          .containsEntry("holdfast_unable_total{type=\"Cluster\",class=\"envoy 1.39.0\"}", 1.0)
          .containsEntry("holdfast_response_bytes_total{type=\"Cluster\"}", 4096.0)
          .containsEntry("holdfast_answer_seconds_sum{type=\"Cluster\"}", 1.5)
          .containsEntry("holdfast_answer_seconds_count{type=\"Cluster\"}", 11.0)
          .containsEntry("holdfast_answer_seconds_bucket{type=\"Cluster\",le=\"0.001\"}", 4.0)
          .containsEntry("holdfast_answer_seconds_bucket{type=\"Cluster\",le=\"0.5\"}", 9.0)
          .containsEntry("holdfast_answer_seconds_bucket{type=\"Cluster\",le=\"+Inf\"}", 11.0)
          .containsEntry("holdfast_oldest_unanswered_seconds{type=\"Cluster\"}", 2.0)
          .containsEntry("holdfast_event_streams", 0.0)
          .containsKeys(
              "process_start_time_seconds",
              "process_cpu_seconds_total",
              "jvm_memory_used_bytes{area=\"heap\"}",
              "jvm_threads_current");
    }
  }

  /** docs/admin-api.md has every metric that the code writes, with its meaning, and no others. */
  @Test
  void everyMetricIsDocumentedAndNoOther() throws Exception {
    Set<String> written = new TreeSet<>();
    for (String source : List.of("Metrics", "ProcessMetrics")) {
      Matcher name =
          Pattern.compile("\"((?:holdfast|process|jvm)_[a-z_]+)\"")
              .matcher(
                  Files.readString(
                      Path.of("src/main/java/dev/holdfast/server/admin", source + ".java")));
      while (name.find()) {
        written.add(name.group(1));
      }
    }
    String page = Files.readString(Path.of("../docs/admin-api.md"));
    String section = page.substring(page.indexOf("\n## Metrics\n"));
    section = section.substring(0, section.indexOf("\nExpressions to alert on"));
    Set<String> documented = new TreeSet<>();
    for (String line : section.split("\n", -1)) {
      Matcher name = Pattern.compile("`((?:holdfast|process|jvm)_[a-z_]+)`").matcher(line);
      while (name.find()) {
        documented.add(name.group(1));
      }
      if (line.startsWith("| `")) {
        assertThat(line.split("\\|", -1)[4].strip()).as("the meaning in " + line).isNotEmpty();
      }
    }

    assertThat(documented).isEqualTo(written).hasSizeGreaterThan(40);
  }

  @Test
  void labelsAndHelpAreEscaped() {
    String text =
        new String(
            new PrometheusText()
                .family("a", "gauge", "one\ntwo\\")
                .sample(0.5, "l", "a\"b\\c\nd")
                .bytes(),
            UTF_8);

    assertThat(text)
        .isEqualTo("# HELP a one\\ntwo\\\\\n# TYPE a gauge\na{l=\"a\\\"b\\\\c\\nd\"} 0.5\n");
  }

  /** What a scraper would make of it; fails on anything that one would refuse. */
  static Map<String, Double> parse(String text) {
    assertThat(text).endsWith("\n");
    Map<String, Double> samples = new HashMap<>();
    Set<String> typed = new HashSet<>();
    for (String line : text.split("\n", -1)) {
      Matcher comment = COMMENT.matcher(line);
      if (comment.matches()) {
        if (comment.group(1).equals("TYPE")) {
          assertThat(comment.group(3)).isIn("gauge", "counter", "summary", "histogram");
          assertThat(typed.add(comment.group(2))).as("one type: " + line).isTrue();
        }
      } else if (!line.isEmpty()) {
        Matcher sample = SAMPLE.matcher(line);
        assertThat(sample.matches()).as(line).isTrue();
        String family = sample.group(1).replaceFirst("_(bucket|sum|count)$", "");
        assertThat(typed).as(line).containsAnyOf(family, sample.group(1));
        String key = line.substring(0, line.lastIndexOf(' '));
        assertThat(samples.put(key, Double.valueOf(sample.group(3)))).as("once: " + line).isNull();
      }
    }
    return samples;
  }
}
