// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.serve;

import dev.holdfast.cli.CommandException;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.Version;
import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.output.SafeText;
import dev.holdfast.config.files.TreeLimits;
import dev.holdfast.controlplane.brake.BrakeOptions;
import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import dev.holdfast.server.ControlPlaneFactory;
import dev.holdfast.server.Daemon;
import dev.holdfast.server.Leadership;
import dev.holdfast.server.options.AdminOptions;
import dev.holdfast.server.options.AdminToken;
import dev.holdfast.server.options.AuthorOptions;
import dev.holdfast.server.options.BrakeOption;
import dev.holdfast.server.options.ClusterOptions;
import dev.holdfast.server.options.DisagreementOption;
import dev.holdfast.server.options.LimitsOption;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.LogOptions;
import dev.holdfast.server.options.MonitoringOptions;
import dev.holdfast.server.options.OptionsFile;
import dev.holdfast.server.options.PartialOptions;
import dev.holdfast.server.options.RateLimitOptions;
import dev.holdfast.server.options.ScoutFinding;
import dev.holdfast.server.options.ScoutOptions;
import dev.holdfast.server.options.ServeLimits;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.StartException;
import dev.holdfast.server.options.StateOptions;
import dev.holdfast.server.options.TlsOptions;
import dev.holdfast.server.options.TrafficOptions;
import dev.holdfast.server.options.TreeLimitsOption;
import dev.holdfast.server.options.XdsOptions;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs the daemon with the options of the command. */
final class ServeRun {
  private final Shell shell;
  private final ServeCommand command;
  private final ServiceManager manager;
  private final CountDownLatch stop = new CountDownLatch(1);

  ServeRun(Shell shell, ServeCommand command) {
    this.shell = shell;
    this.command = command;
    this.manager = new ServiceManager(shell.environment());
  }

  /**
   * Returns when it was stopped.
   *
   * @throws CommandException if it cannot start
   */
  void run() {
    Console console = new Console(shell.out(), shell.err());
    Signals.onStop(stop::countDown);
    try {
      ServeOptions options = options();
      try (Leadership leadership = Leadership.join(options)) {
        leadership.onLost(stop::countDown);
        if (!(options.state() instanceof StateOptions.InFile)) {
          // A standby may wait for days, and that is what it is for.
          manager.ready("taking part in the election of a leader");
        }
        if (leadership.await(stop)) {
          serve(options, leadership, console);
        } else {
          console.note("stopped while standing by");
        }
      }
    } catch (StartException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      console.note("stopped before the server was ready");
    }
  }

  private void serve(ServeOptions options, Leadership leadership, Console console)
      throws StartException, InterruptedException {
    try (Daemon daemon =
        Daemon.start(options, ControlPlaneFactory.embedded(leadership), Version.number(), stop)) {
      String description = daemon.describe();
      console.print("holdfast ready: " + SafeText.text(description));
      manager.ready(description);
      stop.await();
      console.note("stopping");
      manager.stopping();
    }
    if (!leadership.lostTo().isEmpty()) {
      throw new CommandException("another replica leads: " + leadership.lostTo());
    }
  }

  private ServeOptions options() throws StartException {
    PartialOptions inFile =
        command.config == null ? PartialOptions.none() : OptionsFile.read(command.config);
    PartialOptions all = flags().orElse(inFile);
    command.common.applyForServer(all.log());
    return all.complete(shell.environment());
  }

  private PartialOptions flags() throws StartException {
    return new PartialOptions(
        command.directory,
        state(),
        new XdsOptions(
            address("--xds-address", command.xdsAddress),
            command.xdsCertificate,
            command.xdsKey,
            command.xdsClientCa,
            command.xdsClientCrl,
            null,
            command.insecureSds ? true : null,
            command.vhds ? true : null),
        new AdminOptions(
            address("--admin-address", command.adminAddress),
            command.adminTokenFile == null ? null : AdminToken.read(command.adminTokenFile),
            command.adminCertificate,
            command.adminKey,
            command.adminClientCa,
            command.adminClientCrl,
            null,
            null),
        address("--http-address", command.httpAddress),
        address("--https-address", command.httpsAddress),
        command.ingressClass,
        disagreement(),
        brake(),
        tree(),
        new ClusterOptions(
            command.kubernetes ? true : null,
            command.kubeconfig,
            command.context,
            namespaces(),
            parsed("--public-address", command.publicAddress, ClusterOptions::address)),
        limits(),
        traffic(),
        new LogOptions(
            parsed("--log-format", command.logFormat, LogOptions::format),
            parsed("--log-level", command.logLevel, LogOptions::levels)),
        new AuthorOptions(
            null, parsed("--extension-code", command.extensionCode, AuthorOptions::code)),
        scouts(),
        new MonitoringOptions(
            parsed(
                "--expected-proxies", command.expectedProxies, MonitoringOptions::expectedProxies),
            parsed("--trace-endpoint", command.traceEndpoint, MonitoringOptions::endpoint)));
  }

  private ScoutOptions scouts() {
    try {
      return new ScoutOptions(
          command.scouts ? true : null,
          command.scoutEnvoys == null ? null : ScoutOptions.checked(command.scoutEnvoys),
          command.scoutBootstrap,
          parsed("--scout-holds", command.scoutHolds, ScoutFinding::parse));
    } catch (IllegalArgumentException e) {
      throw command.bad("Invalid value for option '--scout-envoy': " + e.getMessage());
    }
  }

  private TrafficOptions traffic() {
    return new TrafficOptions(
        command.rootNamespaces == null
            ? null
            : parsed(
                "--root-namespace",
                String.join(",", command.rootNamespaces),
                ClusterOptions::names),
        parsed("--compression", command.compression, TrafficOptions::compression),
        command.disableMergeSlashes ? false : null,
        parsed("--trusted-hops", command.trustedHops, TrafficOptions::hops),
        command.externalNameServices ? true : null,
        null,
        null,
        null,
        new RateLimitOptions(
            parsed("--rate-limit-service", command.rateLimitService, RateLimitOptions::service),
            null,
            null,
            null,
            null,
            null),
        new TlsOptions(
            parsed("--fallback-certificate", command.fallbackCertificate, TlsOptions::secret),
            parsed("--client-certificate", command.clientCertificate, TlsOptions::secret),
            null,
            null),
        null);
  }

  private <T> @Nullable T parsed(String option, @Nullable String text, Function<String, T> parser) {
    try {
      return text == null ? null : parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw command.bad("Invalid value for option '" + option + "': " + e.getMessage());
    }
  }

  private @Nullable StateOptions state() {
    try {
      return StateOptions.withCredentials(
          command.state == null ? null : StateOptions.parse(command.state, Path::of),
          command.etcdCa,
          command.etcdCertificate,
          command.etcdKey,
          command.etcdUserFile);
    } catch (IllegalArgumentException e) {
      throw command.bad("Invalid value for option '--state': " + e.getMessage());
    }
  }

  private @Nullable SortedSet<String> namespaces() {
    try {
      return command.namespaces == null ? null : ClusterOptions.names(command.namespaces);
    } catch (IllegalArgumentException e) {
      throw command.bad("Invalid value for option '--namespace': " + e.getMessage());
    }
  }

  private @Nullable ServeLimits limits() {
    try {
      return command.limits == null ? null : LimitsOption.parse(command.limits);
    } catch (IllegalArgumentException e) {
      throw command.bad("Invalid value for option '--limits': " + e.getMessage());
    }
  }

  private @Nullable BrakeOptions brake() {
    try {
      return command.deletionBrake == null ? null : BrakeOption.parse(command.deletionBrake);
    } catch (IllegalArgumentException e) {
      throw command.bad("Invalid value for option '--deletion-brake': " + e.getMessage());
    }
  }

  private @Nullable TreeLimits tree() {
    try {
      return command.sourceLimits == null ? null : TreeLimitsOption.parse(command.sourceLimits);
    } catch (IllegalArgumentException e) {
      throw command.bad("Invalid value for option '--source-limits': " + e.getMessage());
    }
  }

  private @Nullable DisagreementPolicy disagreement() {
    try {
      return command.disagreement == null ? null : DisagreementOption.parse(command.disagreement);
    } catch (IllegalArgumentException e) {
      throw command.bad("Invalid value for option '--disagreement': " + e.getMessage());
    }
  }

  private @Nullable ListenAddress address(String option, @Nullable String text) {
    try {
      return text == null ? null : ListenAddress.parse(text);
    } catch (IllegalArgumentException e) {
      throw command.bad("Invalid value for option '" + option + "': " + e.getMessage());
    }
  }
}
