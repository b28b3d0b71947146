// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import static java.util.Objects.requireNonNull;

import dev.holdfast.config.files.TreeLimits;
import dev.holdfast.controlplane.authors.AuthorPolicy;
import dev.holdfast.controlplane.brake.BrakeOptions;
import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import java.nio.file.Path;
import java.util.List;

/**
 * What a daemon is told.
 *
 * @param source the objects
 * @param state what outlives the process
 * @param xds where proxies connect
 * @param admin who may look, and where
 * @param listeners what proxies are told
 * @param disagreement what becomes of a change that some classes of proxies refuse
 * @param brake when deletions wait for a confirmation
 * @param limits what those who connect may use up
 * @param security who may do what on the port that proxies connect to
 * @param authors what authors may write
 * @param scouts the scouts that the server runs
 * @param monitoring for those who watch over the server
 */
public record ServeOptions(
    SourceOptions source,
    StateOptions state,
    ListenAddress xds,
    Admin admin,
    Listeners listeners,
    DisagreementPolicy disagreement,
    BrakeOptions brake,
    ServeLimits limits,
    XdsSecurity security,
    AuthorPolicy authors,
    ScoutOptions scouts,
    MonitoringOptions monitoring) {

  public static final ListenAddress DEFAULT_XDS = new ListenAddress("127.0.0.1", 18000);
  public static final ListenAddress DEFAULT_ADMIN = new ListenAddress("127.0.0.1", 19000);
  public static final ListenAddress DEFAULT_HTTP = new ListenAddress("0.0.0.0", 8080);
  public static final ListenAddress DEFAULT_HTTPS = new ListenAddress("0.0.0.0", 8443);
  public static final String DEFAULT_INGRESS_CLASS = "holdfast";

  public ServeOptions {
    requireNonNull(source, "source");
    requireNonNull(state, "state");
    requireNonNull(xds, "xds");
    requireNonNull(admin, "admin");
    requireNonNull(listeners, "listeners");
    requireNonNull(disagreement, "disagreement");
    requireNonNull(brake, "brake");
    requireNonNull(limits, "limits");
    requireNonNull(security, "security");
    requireNonNull(authors, "authors");
    requireNonNull(scouts, "scouts");
    requireNonNull(monitoring, "monitoring");
  }

  /** One without TLS, for authors that are trusted. */
  public ServeOptions(
      SourceOptions source,
      StateOptions state,
      ListenAddress xds,
      Admin admin,
      Listeners listeners,
      DisagreementPolicy disagreement,
      BrakeOptions brake,
      ServeLimits limits) {
    this(
        source,
        state,
        xds,
        admin,
        listeners,
        disagreement,
        brake,
        limits,
        XdsSecurity.none(),
        AuthorPolicy.NONE,
        ScoutOptions.none(),
        MonitoringOptions.none());
  }

  /** The same with other rules for the port that proxies connect to. */
  public ServeOptions with(XdsSecurity other) {
    return new ServeOptions(
        source,
        state,
        xds,
        admin,
        listeners,
        disagreement,
        brake,
        limits,
        other,
        authors,
        scouts,
        monitoring);
  }

  /** The same with other rules for authors. */
  public ServeOptions with(AuthorPolicy other) {
    return new ServeOptions(
        source,
        state,
        xds,
        admin,
        listeners,
        disagreement,
        brake,
        limits,
        security,
        other,
        scouts,
        monitoring);
  }

  /** The same with other scouts. */
  public ServeOptions with(ScoutOptions other) {
    return new ServeOptions(
        source,
        state,
        xds,
        admin,
        listeners,
        disagreement,
        brake,
        limits,
        security,
        authors,
        other,
        monitoring);
  }

  /** The same for others who watch over the server. */
  public ServeOptions with(MonitoringOptions other) {
    return new ServeOptions(
        source,
        state,
        xds,
        admin,
        listeners,
        disagreement,
        brake,
        limits,
        security,
        authors,
        scouts,
        other);
  }

  /** One with a directory of the usual size, a state file, and the usual limits. */
  public ServeOptions(
      Path directory,
      Path state,
      ListenAddress xds,
      Admin admin,
      Listeners listeners,
      DisagreementPolicy disagreement,
      BrakeOptions brake) {
    this(
        new SourceOptions.Directory(directory, TreeLimits.defaults()),
        new StateOptions.InFile(state),
        xds,
        admin,
        listeners,
        disagreement,
        brake,
        ServeLimits.defaults());
  }

  /** One with the default brake. */
  public ServeOptions(
      Path directory,
      Path state,
      ListenAddress xds,
      Admin admin,
      Listeners listeners,
      DisagreementPolicy disagreement) {
    this(directory, state, xds, admin, listeners, disagreement, BrakeOptions.defaults());
  }

  /** One whose proxies agree, or are to be served the same all the same. */
  public ServeOptions(
      Path directory, Path state, ListenAddress xds, Admin admin, Listeners listeners) {
    this(directory, state, xds, admin, listeners, DisagreementPolicy.UNIFORM);
  }

  /**
   * The admin port.
   *
   * @param security who may do what there
   */
  public record Admin(ListenAddress address, AdminSecurity security) {
    public Admin {
      requireNonNull(address, "address");
      requireNonNull(security, "security");
    }

    /** One with a token for everything; empty if callers need not show anything. */
    public Admin(ListenAddress address, String token) {
      this(address, AdminSecurity.ofToken(token));
    }
  }

  /**
   * What the proxies listen on, and for which Ingresses.
   *
   * @param http where they take plain requests
   * @param https where they take encrypted ones
   * @param ingressClass Ingresses of this class are served
   * @param traffic what counts for the requests of all objects
   * @param vhds whether proxies that take it get each host without TLS as a resource of its own
   */
  public record Listeners(
      ListenAddress http,
      ListenAddress https,
      String ingressClass,
      TrafficOptions traffic,
      boolean vhds) {
    public Listeners {
      requireNonNull(http, "http");
      requireNonNull(https, "https");
      requireNonNull(ingressClass, "ingressClass");
      requireNonNull(traffic, "traffic");
    }

    /** The classes to serve; none for the default ones. */
    public List<String> ingressClasses() {
      return classes(ingressClass);
    }

    static List<String> classes(String ingressClass) {
      return ingressClass.equals(DEFAULT_INGRESS_CLASS)
          ? List.of()
          : List.of(ingressClass.split(",", -1));
    }

    /** Those whose hosts without TLS are in one table. */
    public Listeners(
        ListenAddress http, ListenAddress https, String ingressClass, TrafficOptions traffic) {
      this(http, https, ingressClass, traffic, /* vhds= */ false);
    }

    /** Those that treat requests as usual. */
    public Listeners(ListenAddress http, ListenAddress https, String ingressClass) {
      this(http, https, ingressClass, TrafficOptions.none());
    }
  }
}
