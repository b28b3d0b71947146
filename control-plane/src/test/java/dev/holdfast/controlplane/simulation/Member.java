// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import dev.holdfast.base.Env;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import dev.holdfast.testkit.envoy.AnswerMode;
import dev.holdfast.testkit.envoy.EnvoyOptions;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import dev.holdfast.testkit.envoy.Request;
import dev.holdfast.testkit.envoy.RequestOutcome;
import dev.holdfast.testkit.envoy.Validator;
import dev.holdfast.testkit.envoy.Validators;
import io.envoyproxy.envoy.config.core.v3.HeaderValueOption;
import io.envoyproxy.envoy.config.route.v3.Route;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One proxy of the fleet: a fake Envoy of some class. */
final class Member implements Peer {
  private static final int OK = 200;

  final String id;
  final Taste taste;
  private final Validator judge;
  private final boolean delta;
  private final ManualExecutor executor = new ManualExecutor();
  private final FakeEnvoy envoy;
  private @Nullable Link link;
  private int links;
  private int process = 1;
  private boolean hanging;
  private int deaths;
  private boolean dying;

  Member(String id, Taste taste, boolean delta, ManualTime time, Consumer<Link> opened) {
    this(id, id, taste, taste, delta, time, opened);
  }

  /**
   * One that need not judge as its class does.
   *
   * @param nodeId may be that of another proxy
   */
  Member(
      String id,
      String nodeId,
      Taste taste,
      Validator judge,
      boolean delta,
      ManualTime time,
      Consumer<Link> opened) {
    this(id, nodeId, taste, judge, "", delta, time, opened);
  }

  /** One that serves nobody. */
  static Member scout(
      String id, Taste taste, boolean delta, ManualTime time, Consumer<Link> opened) {
    return new Member(id, id, taste, taste, "scout", delta, time, opened);
  }

  private Member(
      String id,
      String nodeId,
      Taste taste,
      Validator judge,
      String role,
      boolean delta,
      ManualTime time,
      Consumer<Link> opened) {
    this.id = id;
    this.taste = taste;
    this.judge = judge;
    this.delta = delta;
    EnvoyOptions options =
        (delta ? EnvoyOptions.delta(nodeId) : EnvoyOptions.sotw(nodeId))
            .withGroup(taste.group)
            .withRole(role)
            .withValidators(List.of(this::dieOf, Validators.uniqueDomains(), judge));
    envoy =
        FakeEnvoy.start(
            options,
            new Env(executor, time, new SplittableRandom(1)),
            (increments, receiver) -> {
              Link next = new Link(this, ++links, increments, receiver, time);
              link = next;
              opened.accept(next);
              return next;
            });
  }

  /** Lets it do what it has to; false if it had nothing. */
  boolean run() {
    boolean any = executor.pending() > 0;
    executor.runAll();
    if (dying) {
      dying = false;
      deaths++;
      if (link != null) {
        link.cut(); // with what it has said in its last moment
      }
      restart();
    }
    return any;
  }

  /** Dies of what is deadly, whatever it may say of it. */
  private @Nullable String dieOf(Message resource) {
    dying |= Taste.isDeadly(resource);
    return dying ? "dead" : null;
  }

  /** Whether a resource is what it refused of a response that it has answered. */
  boolean refused(Any resource) {
    return judge instanceof Liar liar ? liar.refused(resource) : taste.refuses(resource);
  }

  /** How often it died of what it received. */
  int deaths() {
    return deaths;
  }

  /** The stream that it opened last. */
  @Nullable Link link() {
    return link;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public int process() {
    return process;
  }

  void restart() {
    process++;
    hanging = false;
    envoy.restart();
  }

  void hang() {
    hanging = true;
    envoy.conduct(AnswerMode.HANGING);
  }

  void wake() {
    if (hanging) {
      hanging = false;
      envoy.conduct(AnswerMode.PROMPT);
    }
  }

  boolean isHanging() {
    return hanging;
  }

  /** Whether a request for a root's host gets an answer from an endpoint. */
  boolean serves(ObjectKey root) {
    RequestOutcome outcome = envoy.route(request(root));
    return outcome.isServed() && outcome.status() == OK;
  }

  String answer(ObjectKey root) {
    return envoy.route(request(root)).toString();
  }

  private static Request request(ObjectKey root) {
    String host = Names.host(root);
    Request request = Request.of(host, "/");
    return Names.hasTls(host) ? request.sni(host) : request;
  }

  /** What is served for a root's host; empty if nothing is. */
  String mark(ObjectKey root) {
    String host = Names.host(root);
    RouteConfiguration routes =
        Names.hasTls(host) ? envoy.routes("https/" + host) : envoy.routesOf("ingress_http");
    if (routes != null) {
      for (VirtualHost virtualHost : routes.getVirtualHostsList()) {
        if (virtualHost.getDomainsList().contains(host)) {
          return virtualHost.getRoutesList().stream()
              .filter(route -> route.getMatch().getPrefix().equals("/"))
              .map(Member::mark)
              .findFirst()
              .orElse("");
        }
      }
    }
    return "";
  }

  private static String mark(Route route) {
    for (HeaderValueOption header : route.getResponseHeadersToAddList()) {
      if (header.getHeader().getKey().equals(Sketches.MARK)) {
        String value = header.getHeader().getValue();
        int blank = value.indexOf(' ');
        return blank < 0 ? value : value.substring(0, blank);
      }
    }
    return "";
  }

  void close() {
    envoy.close();
  }

  boolean isDelta() {
    return delta;
  }

  @Override
  public String toString() {
    return id + "(" + taste.group + (delta ? ", delta" : ", sotw") + ")#" + process;
  }
}
