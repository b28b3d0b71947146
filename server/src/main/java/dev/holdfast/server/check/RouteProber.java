// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.check;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.ResourceReport;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.SourcePlace;
import dev.holdfast.server.envoy.EnvoyExit;
import dev.holdfast.server.options.StartException;
import dev.holdfast.server.probe.ProbeAnswer;
import dev.holdfast.server.probe.ProbeClient;
import dev.holdfast.server.probe.ProbeDerivation;
import dev.holdfast.server.probe.ProbeRequest;
import dev.holdfast.server.probe.ProbeVerdict;
import dev.holdfast.server.probe.RouteOwners;
import dev.holdfast.server.probe.RouteProbe;
import dev.holdfast.server.probe.Sink;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks each route of an Envoy once, one after the other, so that a death has one cause. What fails
 * is asked again: one failure may be bad luck.
 */
final class RouteProber {
  private static final String PLAIN = "ingress_http";
  private static final String TLS = "ingress_https";
  private static final String TLS_ROUTES = "https/";
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Duration ADMIN = Duration.ofSeconds(5);
  private static final int PAUSE_MILLIS = 200;

  private final EnvoyJudge judge;
  private final ProbeClient client;
  private final long deadline;
  private final List<ProbeReport.Finding> findings = new ArrayList<>();

  /** Policies that made a request fail: others that they are for would fail in the same way. */
  private final Set<ObjectKey> blamed = new HashSet<>();

  private Map<String, InetSocketAddress> ports = Map.of();
  private int asked;

  RouteProber(EnvoyJudge judge, Sink sink, long deadline) {
    this.judge = judge;
    this.client = new ProbeClient(sink.marker(), PATIENCE);
    this.deadline = deadline;
  }

  ProbeReport run() throws StartException, InterruptedException {
    List<ResourceReport> resources = judge.resources();
    Set<String> encrypted = new HashSet<>();
    for (ResourceReport report : resources) {
      if (report.resource().id().type() == ResourceType.CLUSTER && isEncrypted(report.resource())) {
        encrypted.add(report.resource().name());
      }
    }
    ports = ports();
    for (ResourceReport report : resources) {
      Resource resource = report.resource();
      boolean isTls = resource.name().startsWith(TLS_ROUTES);
      if (resource.id().type() != ResourceType.ROUTES
          || !(isTls || resource.name().equals(PLAIN))) {
        continue; // routes of clients without a proxy
      }
      RouteOwners owners = new RouteOwners(resource.provenance().places());
      for (RouteProbe probe :
          ProbeDerivation.of(routes(resource), isTls, name -> !encrypted.contains(name))) {
        if (System.nanoTime() > deadline) {
          return new ProbeReport(findings, asked, /* isComplete= */ false);
        }
        probe(probe, owners);
      }
    }
    return new ProbeReport(findings, asked, /* isComplete= */ true);
  }

  private static boolean isEncrypted(Resource resource) {
    try {
      Cluster cluster = Cluster.parseFrom(resource.body());
      return cluster.hasTransportSocket() || cluster.getTransportSocketMatchesCount() > 0;
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("what we have made ourselves", e);
    }
  }

  private static RouteConfiguration routes(Resource resource) {
    try {
      return RouteConfiguration.parseFrom(resource.body());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("what we have made ourselves", e);
    }
  }

  private void probe(RouteProbe probe, RouteOwners owners)
      throws StartException, InterruptedException {
    SourcePlace owner = owners.owner(probe);
    SourcePlace guilty = owners.guilty(probe);
    if (owner == null || guilty == null) {
      return; // we have made it ourselves, such as the answer for a host without routes
    }
    ProbeRequest request = probe.request();
    if (request == null) {
      SourcePlace taker =
          probe.isShadowed() ? owners.owner(probe.hostPath() + "." + probe.reason()) : null;
      add(
          probe.isShadowed() ? ProbeReport.Kind.ELSEWHERE : ProbeReport.Kind.NOT_PROBED,
          owner,
          probe.isShadowed()
              ? "every request for it is taken by "
                  + (taker == null ? "another route" : taker.object() + ": " + taker.field())
              : probe.reason());
      return;
    }
    if (owners.policies(probe).stream().anyMatch(blamed::contains)) {
      return;
    }
    asked++;
    String first = ask(probe, request, owner);
    if (first == null) {
      return;
    }
    String second = ask(probe, request, owner);
    if (second == null) {
      return;
    }
    if (!guilty.equals(owner)) {
      blamed.add(guilty.object());
    }
    add(ProbeReport.Kind.FAILED, guilty, request + ": " + second + owners.suspects(probe));
  }

  private void add(ProbeReport.Kind kind, SourcePlace place, String message) {
    findings.add(new ProbeReport.Finding(kind, place.object(), place.field(), message));
  }

  /** What went wrong; null if nothing did, or nothing that counts. */
  private @Nullable String ask(RouteProbe probe, ProbeRequest request, SourcePlace owner)
      throws StartException, InterruptedException {
    InetSocketAddress port = ports.get(request.isTls() ? TLS : PLAIN);
    if (port == null) {
      add(ProbeReport.Kind.NOT_PROBED, owner, "the proxy has no listener for it");
      return null;
    }
    int ended = judge.envoy().ended();
    ProbeAnswer answer = client.ask(port, request);
    switch (ProbeVerdict.of(probe, answer)) {
      case FINE -> {
        return null;
      }
      case UNKNOWN -> {
        add(ProbeReport.Kind.NOT_PROBED, owner, "no TLS connection: " + answer.text());
        return null;
      }
      case ELSEWHERE -> {
        add(
            ProbeReport.Kind.ELSEWHERE,
            owner,
            request
                + (answer.isFromSink()
                    ? ": answered by a backend, although the route has none"
                    : ": the proxy answers 404"));
        return null;
      }
      case FAILED -> {
        return failure(answer, ended);
      }
    }
    throw new IllegalStateException(answer.toString());
  }

  private String failure(ProbeAnswer answer, int ended)
      throws StartException, InterruptedException {
    if (answer.kind() == ProbeAnswer.Kind.ANSWERED) {
      Thread.sleep(PAUSE_MILLIS); // a cluster may not have been ready
      return "the proxy itself answers "
          + answer.status()
          + (answer.text().isEmpty() ? "" : " \"" + answer.text() + "\"");
    }
    if (answer.kind() == ProbeAnswer.Kind.SILENT) {
      judge.envoy().restart(); // the thread that hangs would answer nobody else
    }
    for (int i = 0; i < 20 && judge.envoy().ended() == ended; i++) {
      Thread.sleep(PAUSE_MILLIS / 4);
    }
    List<EnvoyExit> ends = judge.envoy().exits();
    judge.awaitCalm(deadline);
    ports = ports();
    if (answer.kind() == ProbeAnswer.Kind.SILENT || judge.envoy().ended() == ended) {
      return answer.text();
    }
    EnvoyExit end = ends.get(ends.size() - 1);
    String complaint = end.complaint();
    return "the proxy dies: " + end.text() + (complaint.isEmpty() ? "" : ": " + complaint);
  }

  /** Where the listeners of the Envoy are, by their names. */
  private Map<String, InetSocketAddress> ports() throws StartException {
    try {
      return judge.envoy().admin().listeners(ADMIN);
    } catch (IOException e) {
      throw new StartException("Envoy does not say where it listens: " + e.getMessage(), e);
    }
  }
}
