// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.envoy.Tls;
import dev.holdfast.testkit.TestCa;
import dev.holdfast.testkit.envoy.EnvoyOptions;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import dev.holdfast.testkit.envoy.Request;
import dev.holdfast.testkit.envoy.RequestOutcome;
import dev.holdfast.testkit.envoy.Validators;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** An Envoy as its clients see it: a real one, or the fake one. */
interface Peer extends AutoCloseable {
  /** What a client sees that gets no answer. */
  String NOTHING = "nothing";

  /**
   * Every real Envoy here lacks something that others have, so that it refuses clusters which need
   * it; the fake ones say that they do.
   */
  List<String> WITHOUT_RING_HASH =
      List.of(
          "--disable-extensions",
          "envoy.load_balancing_policies/envoy.load_balancing_policies.ring_hash");

  /** What a client without TLS sees: the status and who answered, such as {@code 200 one}. */
  String get(String host, String path);

  /** The same with TLS. */
  String secure(String host, String path);

  /** What a script wrote into the answer; the fake runs none, and takes the test's word for it. */
  String mark(String host, String path, boolean tls, String expected);

  @Override
  void close();

  /**
   * @param kind {@code real} or {@code fake}, and {@code delta} or {@code sotw}
   * @param backends the names of those who listen on this machine, by port
   */
  static Peer start(
      String kind, int xdsPort, String node, TestCa ca, Map<Integer, String> backends) {
    return start(kind, xdsPort, node, "a", USUAL, ca, backends);
  }

  /** How large a regular expression may be for an Envoy that was not told otherwise. */
  int USUAL = 100;

  /**
   * The same of some class.
   *
   * @param group proxies of another one are of another class
   * @param regexes how large they may be
   */
  static Peer start(
      String kind,
      int xdsPort,
      String node,
      String group,
      int regexes,
      TestCa ca,
      Map<Integer, String> backends) {
    boolean delta = kind.endsWith("delta");
    if (kind.startsWith("real")) {
      EnvoyBootstrap bootstrap =
          delta ? EnvoyBootstrap.delta(xdsPort) : EnvoyBootstrap.sotw(xdsPort);
      return new Real(
          EnvoyProcess.start(
              bootstrap
                  .node(node)
                  .group(group)
                  .runtime("re2.max_program_size.error_level", regexes)
                  .yaml(),
              WITHOUT_RING_HASH.toArray(new String[0])),
          ca);
    }
    EnvoyOptions options = delta ? EnvoyOptions.delta(node) : EnvoyOptions.sotw(node);
    return new Fake(
        FakeEnvoy.start(
            Refusals.addTo(options.withGroup(group).withValidators(Validators.standard(regexes))),
            xdsPort),
        backends);
  }

  /** The real one. */
  record Real(EnvoyProcess envoy, TestCa ca) implements Peer {
    @Override
    public String get(String host, String path) {
      return said(answer(host, path, false));
    }

    @Override
    public String secure(String host, String path) {
      return said(answer(host, path, true));
    }

    @Override
    public String mark(String host, String path, boolean tls, String expected) {
      Http.Response response = answer(host, path, tls);
      return response.status() == 0 ? NOTHING : response.header("x-lua");
    }

    private Http.Response answer(String host, String path, boolean tls) {
      OptionalInt port = envoy.admin().listenerPort(tls ? "ingress_https" : "ingress_http");
      if (port.isEmpty()) {
        return new Http.Response(0, List.of(), "");
      }
      Http http = Http.on(port.getAsInt());
      try {
        return (tls ? http.with(Tls.sni(host, ca)) : http).get(path).host(host).send();
      } catch (UncheckedIOException e) {
        return new Http.Response(0, List.of(), "");
      }
    }

    private static String said(Http.Response response) {
      return response.status() == 0
          ? NOTHING
          : (response.status() + " " + response.backend()).trim();
    }

    @Override
    public void close() {
      envoy.close();
    }
  }

  /** The fake one. */
  record Fake(FakeEnvoy envoy, Map<Integer, String> backends) implements Peer {
    @Override
    public String get(String host, String path) {
      return said(envoy.route(Request.of(host, path).at("ingress_http")));
    }

    @Override
    public String secure(String host, String path) {
      return said(envoy.route(Request.of(host, path).at("ingress_https").sni(host)));
    }

    @Override
    public String mark(String host, String path, boolean tls, String expected) {
      return expected;
    }

    private String said(RequestOutcome outcome) {
      if (outcome.status() == 0) {
        return NOTHING;
      }
      if (outcome.endpoints().isEmpty()) {
        return Integer.toString(outcome.status());
      }
      String address = outcome.endpoints().get(0);
      int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
      return outcome.status() + " " + backends.getOrDefault(port, "?");
    }

    @Override
    public void close() {
      envoy.close();
    }
  }
}
