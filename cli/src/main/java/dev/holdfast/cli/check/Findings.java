// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.check;

import dev.holdfast.cli.objects.Validation;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.server.check.Judgement;
import dev.holdfast.server.check.ProbeReport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes findings of what Holdfast and the proxies say. Pure. */
final class Findings {
  private Findings() {}

  /** What one proxy made of the two trees. */
  record Verdicts(
      String proxy,
      @Nullable Judgement before,
      ProbeReport probesBefore,
      Judgement now,
      ProbeReport probes) {}

  static List<Finding> of(ObjectTree before, ObjectTree now, List<Verdicts> verdicts) {
    List<Finding> findings = new ArrayList<>(invalid(before, now));
    Set<ObjectKey> invalid = new HashSet<>();
    findings.forEach(
        finding -> {
          if (finding.object() != null) {
            invalid.add(finding.object());
          }
        });
    List<Finding> byProxies = new ArrayList<>();
    for (Verdicts each : verdicts) {
      each.now()
          .outcomes()
          .forEach(
              (key, outcome) -> {
                ConfigObject object = now.objects().get(key);
                boolean isTold = outcome.kind() == Judgement.Kind.INVALID && invalid.contains(key);
                if (object == null || isTold) {
                  return;
                }
                Finding finding = finding(object, outcome, each.proxy());
                if (finding != null) {
                  boolean wasBad =
                      each.before() != null && isBad(each.before().outcomes().get(key));
                  byProxies.add(
                      wasBad && finding.severity() == Finding.Severity.ERROR
                          ? finding.as(Finding.Severity.KNOWN)
                          : finding);
                }
              });
    }
    verdicts.forEach(each -> byProxies.addAll(probes(now, each)));
    findings.addAll(merged(byProxies));
    return findings;
  }

  private static List<Finding> invalid(ObjectTree before, ObjectTree now) {
    Set<Object> known = new HashSet<>();
    before.problems().forEach(found -> known.add(identity(found)));
    List<Finding> findings = new ArrayList<>();
    for (Validation.Found found : now.problems()) {
      findings.add(
          new Finding(
              known.contains(identity(found)) ? Finding.Severity.KNOWN : Finding.Severity.ERROR,
              Finding.INVALID,
              found.object(),
              found.problem().position(),
              found.problem().problem().path(),
              List.of(),
              "",
              found.problem().problem().message()));
    }
    return findings;
  }

  /** An object that was bad is still bad; a file without an object has only its problem. */
  private static Object identity(Validation.Found found) {
    return found.object() == null ? found.problem().problem() : found.object();
  }

  static boolean isBad(Judgement.@Nullable Outcome outcome) {
    return outcome != null
        && switch (outcome.kind()) {
          case REFUSED, DIED, HUNG, INVALID -> true;
          case ACCEPTED, UNUSED, WAITING, OPEN -> false;
        };
  }

  private static @Nullable Finding finding(
      ConfigObject object, Judgement.Outcome outcome, String proxy) {
    return switch (outcome.kind()) {
      case ACCEPTED, UNUSED -> null;
      case REFUSED -> error(object, Finding.REFUSED, outcome, List.of(proxy));
      case DIED -> error(object, Finding.DIED, outcome, List.of(proxy));
      case HUNG -> error(object, Finding.HUNG, outcome, List.of(proxy));
      case INVALID -> error(object, outcome.reason(), outcome, List.of());
      case WAITING ->
          error(object, Finding.WAITING, outcome, List.of(proxy)).as(Finding.Severity.WARNING);
      case OPEN ->
          error(object, Finding.NOT_JUDGED, outcome, List.of(proxy)).as(Finding.Severity.WARNING);
    };
  }

  private static List<Finding> probes(ObjectTree now, Verdicts verdicts) {
    Set<ObjectKey> before = new HashSet<>();
    for (ProbeReport.Finding finding : verdicts.probesBefore().findings()) {
      if (finding.kind() == ProbeReport.Kind.FAILED) {
        before.add(finding.object());
      }
    }
    List<Finding> findings = new ArrayList<>();
    for (ProbeReport.Finding finding : verdicts.probes().findings()) {
      ConfigObject object = now.objects().get(finding.object());
      if (object != null) {
        AuthorText place = AuthorText.at(finding.field(), object);
        findings.add(
            new Finding(
                switch (finding.kind()) {
                  case FAILED ->
                      before.contains(object.key())
                          ? Finding.Severity.KNOWN
                          : Finding.Severity.ERROR;
                  case ELSEWHERE, NOT_PROBED -> Finding.Severity.WARNING;
                },
                switch (finding.kind()) {
                  case FAILED -> Finding.PROBE_FAILED;
                  case ELSEWHERE -> Finding.SHADOWED;
                  case NOT_PROBED -> Finding.NOT_PROBED;
                },
                object.key(),
                place.position(),
                place.path(),
                List.of(verdicts.proxy()),
                "",
                finding.message()));
      }
    }
    return findings;
  }

  private static Finding error(
      ConfigObject object, String reason, Judgement.Outcome outcome, List<String> proxies) {
    AuthorText quoted = AuthorText.quotedIn(outcome.message(), object);
    Position position = quoted == null ? object.body().position() : quoted.position();
    return new Finding(
        Finding.Severity.ERROR,
        reason,
        object.key(),
        position,
        quoted == null ? "" : quoted.path(),
        proxies,
        outcome.resource(),
        outcome.message());
  }

  /** Findings of which some were there before, at whatever place. */
  static List<Finding> news(List<Finding> before, List<Finding> now) {
    Set<List<Object>> known = new HashSet<>();
    before.forEach(finding -> known.add(identity(finding)));
    return now.stream()
        .map(
            finding ->
                known.contains(identity(finding)) ? finding.as(Finding.Severity.KNOWN) : finding)
        .toList();
  }

  private static List<Object> identity(Finding finding) {
    return List.of(String.valueOf(finding.object()), finding.reason());
  }

  /** Proxies that say the same of an object say it once. */
  static List<Finding> merged(List<Finding> findings) {
    Map<Finding, List<String>> proxies = new LinkedHashMap<>();
    for (Finding finding : findings) {
      List<String> all =
          proxies.computeIfAbsent(finding.by(List.of()), unused -> new ArrayList<>());
      finding.proxies().stream().filter(proxy -> !all.contains(proxy)).forEach(all::add);
    }
    List<Finding> merged = new ArrayList<>();
    proxies.forEach((finding, all) -> merged.add(finding.by(all)));
    return merged;
  }

  /** The findings of each object, for formats that list objects. */
  static Map<ObjectKey, List<Finding>> byObject(List<Finding> findings) {
    Map<ObjectKey, List<Finding>> byObject = new TreeMap<>();
    for (Finding finding : findings) {
      if (finding.object() != null) {
        byObject.computeIfAbsent(finding.object(), key -> new ArrayList<>()).add(finding);
      }
    }
    return byObject;
  }
}
