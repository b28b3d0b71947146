// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import dev.holdfast.base.SystemTime;
import dev.holdfast.controlplane.ads.access.AccessPolicy;
import dev.holdfast.controlplane.log.LogArea;
import dev.holdfast.controlplane.log.LogLine;
import dev.holdfast.controlplane.report.ProblemReport;
import dev.holdfast.controlplane.report.Reports;
import dev.holdfast.controlplane.report.Totals;
import dev.holdfast.server.admin.AdminServer;
import dev.holdfast.server.admin.ServerInfo;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.SourceOptions;
import dev.holdfast.server.options.StartException;
import dev.holdfast.server.options.StateDirectory;
import dev.holdfast.server.options.StateOptions;
import dev.holdfast.server.tls.TlsProblem;
import dev.holdfast.server.trace.OtlpExporter;
import dev.holdfast.server.xds.CsdsService;
import dev.holdfast.server.xds.ObserversOnly;
import dev.holdfast.server.xds.XdsSecurityState;
import dev.holdfast.server.xds.XdsServer;
import io.grpc.BindableService;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A control plane with its ports.
 *
 * <p>It starts from the inside out: the state, the objects, the admin port, and only when all
 * objects have been read the xDS port, so that no proxy is ever told that there is nothing. It
 * stops from the outside in: no new streams, then the streams there are, then the state.
 */
public final class Daemon implements AutoCloseable {
  private static final Duration LOOK_EVERY = Duration.ofMillis(10);
  private static final Duration GRUMBLE_EVERY = Duration.ofSeconds(10);

  private final ServeOptions options;
  private final RunningControlPlane inside;
  private final AdminServer admin;
  private final XdsServer xds;
  private final XdsSecurityState security;
  private final @Nullable OtlpExporter traces;

  private Daemon(
      ServeOptions options,
      RunningControlPlane inside,
      AdminServer admin,
      XdsServer xds,
      XdsSecurityState security,
      @Nullable OtlpExporter traces) {
    this.options = options;
    this.inside = inside;
    this.admin = admin;
    this.xds = xds;
    this.security = security;
    this.traces = traces;
  }

  /**
   * Starts everything, and returns when it is served.
   *
   * @param version of the program
   * @param stop ends the wait for the objects
   * @throws StartException if something is in the way; nothing is then left running
   * @throws InterruptedException if {@code stop} came first; nothing is then left running
   */
  public static Daemon start(
      ServeOptions options, ControlPlaneFactory factory, String version, CountDownLatch stop)
      throws StartException, InterruptedException {
    if (options.source() instanceof SourceOptions.Directory directory) {
      checkDirectory(directory.path());
    }
    if (options.state() instanceof StateOptions.InFile file) {
      StateDirectory.make(file.path());
    }
    XdsSecurityState security = XdsSecurityState.open(options.security(), SystemTime.instance());
    URI endpoint = options.monitoring().traceEndpoint();
    OtlpExporter traces = endpoint == null ? null : OtlpExporter.start(endpoint, version);
    RunningControlPlane inside = null;
    AdminServer admin = null;
    boolean started = false;
    try {
      inside = factory.start(options);
      AtomicReference<@Nullable AdminServer> opened = new AtomicReference<>();
      if (traces != null) {
        inside.trace(traces::add);
      }
      inside.addProblems(() -> problems(security, opened.get()));
      Reports reports = inside.reports();
      AtomicReference<@Nullable ListenAddress> listening = new AtomicReference<>();
      admin =
          AdminServer.start(
              options.admin(),
              options.limits(),
              reports,
              inside.history(),
              new ServerInfo(
                  version,
                  directory(options.source()),
                  inside.state(),
                  listening::get,
                  inside::source,
                  security::report,
                  () -> traces == null ? null : traces.report()));
      opened.set(admin);
      awaitReady(inside, stop);
      List<BindableService> services = new ArrayList<>(inside.services());
      services.add(
          ObserversOnly.of(
              new AccessPolicy(options.security().identities()), new CsdsService(reports)));
      XdsServer xds =
          XdsServer.start(
              options.xds(), security.credentials(), services, options.limits().requestBytes());
      listening.set(xds.address());
      try {
        inside.onListening();
      } catch (StartException e) {
        xds.close();
        throw e;
      }
      started = true;
      warnOfPlainText(options);
      return new Daemon(options, inside, admin, xds, security, traces);
    } finally {
      if (!started) {
        if (admin != null) {
          admin.close();
        }
        if (inside != null) {
          inside.close();
        }
        if (traces != null) {
          traces.close();
        }
        security.close();
      }
    }
  }

  private static List<ProblemReport> problems(
      XdsSecurityState security, @Nullable AdminServer admin) {
    List<ProblemReport> problems = new ArrayList<>(security.problems());
    TlsProblem problem = admin == null ? null : admin.problem();
    if (problem != null) {
      problems.add(
          ProblemReport.ofServer(ProblemReport.TLS_FILES, problem.message(), problem.since()));
    }
    return problems;
  }

  private static @Nullable Path directory(SourceOptions source) {
    return source instanceof SourceOptions.Directory directory ? directory.path() : null;
  }

  private static void checkDirectory(Path directory) throws StartException {
    if (!Files.exists(directory)) {
      throw new StartException(directory + ": no such directory");
    }
    if (!Files.isDirectory(directory)) {
      throw new StartException(directory + ": not a directory (expected: a directory)");
    }
  }

  private static void awaitReady(RunningControlPlane inside, CountDownLatch stop)
      throws InterruptedException {
    for (long looks = 1; !inside.reports().ready(); looks++) {
      if (stop.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new InterruptedException("stopped before the server was ready");
      }
      if (looks % (GRUMBLE_EVERY.toMillis() / LOOK_EVERY.toMillis()) == 0) {
        String reason = inside.waitingFor();
        LogArea.SOURCE
            .warn("still-reading")
            .log(
                "still reading objects"
                    + (reason.isEmpty() ? "" : ": " + reason)
                    + "; the xDS port opens when all objects are read");
      }
    }
  }

  private static void warnOfPlainText(ServeOptions options) {
    try {
      if (options.security().tls() == null && !options.xds().isLoopback()) {
        LogArea.SERVER
            .warn("not-encrypted")
            .with(LogLine.ADDRESS, options.xds().toString())
            .log(
                "xDS on "
                    + options.xds()
                    + (options.security().insecureSecrets()
                        ? " is not encrypted: every client that can connect receives private keys"
                        : " is not encrypted: no client receives secrets, such as certificates of"
                            + " HTTPS hosts (--xds-certificate encrypts, --insecure-sds serves them"
                            + " as it is)"));
      }
    } catch (UnknownHostException e) {
      // It was known a moment ago, when we began to listen.
    }
  }

  /** What there is to say when everything is up. */
  public String describe() {
    int objects;
    try {
      Totals totals = inside.reports().totals().toCompletableFuture().join();
      objects = totals.objects().values().stream().mapToInt(Integer::intValue).sum();
    } catch (CompletionException e) {
      throw new IllegalStateException("the control plane failed to answer", e.getCause());
    }
    return (objects == 1 ? "1 object" : objects + " objects")
        + " from "
        + options.source()
        + ", xDS on "
        + xds.address()
        + security.describe()
        + ", admin on "
        + admin.url()
        + ", state in "
        + inside.state()
        + (inside.companions().isEmpty() ? "" : ", " + inside.companions());
  }

  public XdsServer xds() {
    return xds;
  }

  public AdminServer admin() {
    return admin;
  }

  /** Returns when everything is stopped and stored. */
  @Override
  public void close() {
    xds.stopAccepting();
    inside.close();
    xds.close();
    security.close();
    admin.close();
    if (traces != null) {
      traces.close();
    }
  }
}
