// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.config.files.TreeLimits;
import dev.holdfast.controlplane.brake.BrakeOptions;
import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one place says about the daemon; null is what it does not say.
 *
 * @param directory the objects
 * @param state what outlives the process
 * @param xds where proxies connect, and who may
 * @param admin who may look, and where
 * @param http where proxies take plain requests
 * @param https where they take encrypted ones
 * @param ingressClass Ingresses of this class are served
 * @param disagreement what becomes of a change that some classes of proxies refuse
 * @param brake when deletions wait for a confirmation
 * @param tree how large the tree with the objects may be
 * @param cluster whether the objects are in a cluster instead, and in which
 * @param limits what those who connect may use up
 * @param traffic what counts for the requests of all objects
 * @param log how the log looks
 * @param authors what authors may write
 * @param scouts the scouts that the server runs
 * @param monitoring for those who watch over the server
 */
public record PartialOptions(
    @Nullable Path directory,
    @Nullable StateOptions state,
    XdsOptions xds,
    AdminOptions admin,
    @Nullable ListenAddress http,
    @Nullable ListenAddress https,
    @Nullable String ingressClass,
    @Nullable DisagreementPolicy disagreement,
    @Nullable BrakeOptions brake,
    @Nullable TreeLimits tree,
    ClusterOptions cluster,
    @Nullable ServeLimits limits,
    TrafficOptions traffic,
    LogOptions log,
    AuthorOptions authors,
    ScoutOptions scouts,
    MonitoringOptions monitoring) {

  /** Says nothing. */
  public static PartialOptions none() {
    return new PartialOptions(
        null,
        null,
        XdsOptions.none(),
        AdminOptions.none(),
        null,
        null,
        null,
        null,
        null,
        null,
        ClusterOptions.none(),
        null,
        TrafficOptions.none(),
        LogOptions.none(),
        AuthorOptions.none(),
        ScoutOptions.none(),
        MonitoringOptions.none());
  }

  /** Says which directory is served, and nothing else. */
  public static PartialOptions ofDirectory(Path directory) {
    PartialOptions none = none();
    return new PartialOptions(
        directory,
        none.state,
        none.xds,
        none.admin,
        none.http,
        none.https,
        none.ingressClass,
        none.disagreement,
        none.brake,
        none.tree,
        none.cluster,
        none.limits,
        none.traffic,
        none.log,
        none.authors,
        none.scouts,
        none.monitoring);
  }

  /** What this says, and for the rest what another place says. */
  public PartialOptions orElse(PartialOptions other) {
    return new PartialOptions(
        first(directory, other.directory),
        first(state, other.state),
        xds.orElse(other.xds),
        admin.orElse(other.admin),
        first(http, other.http),
        first(https, other.https),
        first(ingressClass, other.ingressClass),
        first(disagreement, other.disagreement),
        first(brake, other.brake),
        first(tree, other.tree),
        cluster.orElse(other.cluster),
        first(limits, other.limits),
        traffic.orElse(other.traffic),
        log.orElse(other.log),
        authors.orElse(other.authors),
        scouts.orElse(other.scouts),
        monitoring.orElse(other.monitoring));
  }

  private static <T> @Nullable T first(@Nullable T one, @Nullable T other) {
    return one == null ? other : one;
  }

  /**
   * The whole, with defaults for what nobody says.
   *
   * @param environment tells where the user's state is
   * @throws StartException if something is missing that has no default
   */
  public ServeOptions complete(Map<String, String> environment) throws StartException {
    SourceOptions source = source(environment);
    return new ServeOptions(
        source,
        state == null ? new StateOptions.InFile(StatePath.of(source, environment)) : state,
        or(xds.address(), ServeOptions.DEFAULT_XDS),
        admin.complete(),
        new ServeOptions.Listeners(
            or(http, ServeOptions.DEFAULT_HTTP),
            or(https, ServeOptions.DEFAULT_HTTPS),
            or(ingressClass, ServeOptions.DEFAULT_INGRESS_CLASS),
            traffic,
            or(xds.vhds(), false)),
        or(disagreement, DisagreementPolicy.UNIFORM),
        or(brake, BrakeOptions.defaults()),
        or(limits, ServeLimits.defaults()),
        xds.security(),
        authors.complete(),
        scouts,
        monitoring);
  }

  private SourceOptions source(Map<String, String> environment) throws StartException {
    if (directory != null && cluster.isEnabled()) {
      throw new StartException(
          directory + ": a directory together with --kubernetes (expected: one of them)");
    }
    if (cluster.isEnabled()) {
      return cluster.complete(environment);
    }
    if (cluster.saysAnything()) {
      throw new StartException(
          "options of a cluster without --kubernetes (expected: --kubernetes, or source.type:"
              + " kubernetes in the --config file)");
    }
    if (directory == null) {
      throw new StartException(
          "no directory to serve (expected: a directory argument, source.directory in the"
              + " --config file, or --kubernetes)");
    }
    return new SourceOptions.Directory(directory, or(tree, TreeLimits.defaults()));
  }

  private static <T> T or(@Nullable T value, T otherwise) {
    return value == null ? otherwise : value;
  }

  /** Never the token. */
  @Override
  public String toString() {
    return "options for " + (cluster.isEnabled() ? "Kubernetes" : directory);
  }
}
