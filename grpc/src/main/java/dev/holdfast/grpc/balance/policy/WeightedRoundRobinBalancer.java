// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import com.github.xds.data.orca.v3.OrcaLoadReport;
import dev.holdfast.grpc.orca.CallReports;
import dev.holdfast.grpc.orca.OutOfBandReports;
import dev.holdfast.grpc.orca.ReportingSubchannel;
import io.grpc.EquivalentAddressGroup;
import io.grpc.LoadBalancer;
import io.grpc.Status;
import io.grpc.SynchronizationContext.ScheduledHandle;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Spreads calls over endpoints by the load that they report (gRFC A58), with the answers to calls
 * or on streams of their own. Endpoints whose weight is not known get the average; while fewer than
 * two are known, all get the same.
 */
public final class WeightedRoundRobinBalancer extends EagerBalancer {
  private final LongSupplier nanoTime;
  private final Supplier<String> backendService;
  private final WeightedRoundRobinMetrics metrics;
  private final OutOfBandReports.Surroundings around;
  private final AtomicInteger sequence;

  // In the synchronization context, but for reports of calls, which read the configuration.
  private volatile @Nullable WeightedRoundRobinConfig config;
  private @Nullable WeightedRoundRobinPicker picker;
  private @Nullable ScheduledHandle timer;
  private String locality = "";

  WeightedRoundRobinBalancer(
      Helper helper,
      RandomGenerator random,
      LongSupplier nanoTime,
      Supplier<String> backendService) {
    super(helper, "weighted_round_robin");
    this.nanoTime = nanoTime;
    this.backendService = backendService;
    metrics = new WeightedRoundRobinMetrics(helper);
    around =
        new OutOfBandReports.Surroundings(
            helper.getSynchronizationContext(),
            helper.getScheduledExecutorService(),
            nanoTime,
            new SplittableRandom(random.nextLong()));
    // Clients that are started together do not all begin with the same endpoint.
    sequence = new AtomicInteger(random.nextInt());
  }

  /**
   * How it is made; its configuration is a {@link WeightedRoundRobinConfig}.
   *
   * @param backendService the name of the cluster, for metrics
   */
  public static PolicyFactory factory(
      Supplier<RandomGenerator> random, LongSupplier nanoTime, Supplier<String> backendService) {
    return new PolicyFactory(
        "weighted_round_robin",
        helper -> new WeightedRoundRobinBalancer(helper, random.get(), nanoTime, backendService));
  }

  @Override
  public Status acceptResolvedAddresses(ResolvedAddresses resolved) {
    config =
        (WeightedRoundRobinConfig)
            Objects.requireNonNull(resolved.getLoadBalancingPolicyConfig(), "config");
    locality = localityOf(resolved.getAddresses());
    Status status = super.acceptResolvedAddresses(resolved);
    for (ChildLbState child : getChildLbStates()) {
      ((WeightedEndpoint) child).want();
    }
    restartTimer();
    return status;
  }

  private WeightedRoundRobinConfig config() {
    return Objects.requireNonNull(config, "no configuration so far");
  }

  private static String localityOf(List<EquivalentAddressGroup> endpoints) {
    String name =
        endpoints.isEmpty()
            ? null
            : endpoints.get(0).getAttributes().get(EquivalentAddressGroup.ATTR_LOCALITY_NAME);
    return name == null ? "" : name;
  }

  private void restartTimer() {
    if (timer != null) {
      timer.cancel();
    }
    timer =
        around
            .context()
            .schedule(
                this::updateWeights,
                config().updateNanos(),
                TimeUnit.NANOSECONDS,
                around.scheduler());
  }

  private void updateWeights() {
    if (picker != null) {
      picker.schedule(scheduler(picker.endpoints()));
    }
    restartTimer();
  }

  private StrideScheduler scheduler(List<WeightedRoundRobinPicker.Endpoint> endpoints) {
    List<String> place = List.of(locality, backendService.get());
    double[] weights = new double[endpoints.size()];
    int notYetUsable = 0;
    int stale = 0;
    long now = nanoTime.getAsLong();
    for (int i = 0; i < weights.length; i++) {
      EndpointWeight.Reading reading = endpoints.get(i).weight().read(config(), now);
      weights[i] = reading.weight();
      metrics.weight(reading.weight(), place);
      notYetUsable += reading.standing() == EndpointWeight.Standing.NOT_YET_USABLE ? 1 : 0;
      stale += reading.standing() == EndpointWeight.Standing.STALE ? 1 : 0;
    }
    metrics.notYetUsable(notYetUsable, place);
    metrics.stale(stale, place);
    StrideScheduler scheduler = new StrideScheduler(weights, sequence);
    if (!scheduler.isWeighted()) {
      metrics.fallback(place);
    }
    return scheduler;
  }

  @Override
  protected ChildLbState createChildLbState(Object key) {
    return new WeightedEndpoint(key, pickFirstLbProvider);
  }

  @Override
  SubchannelPicker picker(List<ChildLbState> endpoints) {
    boolean ofCalls = config().outOfBand() == null;
    List<WeightedRoundRobinPicker.Endpoint> weighted =
        endpoints.stream()
            .map(endpoint -> ((WeightedEndpoint) endpoint).weighted(ofCalls))
            .toList();
    WeightedRoundRobinPicker next = new WeightedRoundRobinPicker(weighted, scheduler(weighted));
    picker = next;
    return next;
  }

  @Override
  void waiting() {
    picker = null;
  }

  @Override
  public void shutdown() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
    super.shutdown();
  }

  private final class WeightedEndpoint extends EagerEndpoint {
    private final EndpointWeight weight = new EndpointWeight();
    private final TracedPicks callReports =
        new TracedPicks(CallReports.to(this::report, null)::besides);
    private final Set<ReportingSubchannel> subchannels = new LinkedHashSet<>();

    WeightedEndpoint(Object key, LoadBalancer.Factory policy) {
      super(key, policy);
    }

    private void report(OrcaLoadReport report) {
      weight.report(report, config(), nanoTime.getAsLong());
    }

    void want() {
      subchannels.forEach(subchannel -> subchannel.want(config().outOfBand()));
    }

    @Override
    protected ChildLbStateHelper createChildHelper() {
      return new EndpointHelper();
    }

    /** What the picker has of it; with the reports of calls if these are used. */
    WeightedRoundRobinPicker.Endpoint weighted(boolean ofCalls) {
      return new WeightedRoundRobinPicker.Endpoint(
          getCurrentPicker(), weight, ofCalls ? callReports : null);
    }

    private final class EndpointHelper extends EagerHelper {
      @Override
      public Subchannel createSubchannel(CreateSubchannelArgs args) {
        ReportingSubchannel created =
            new ReportingSubchannel(
                super.createSubchannel(args),
                WeightedEndpoint.this::report,
                around,
                weight::connected,
                subchannels::remove);
        subchannels.add(created);
        created.want(config().outOfBand());
        return created;
      }
    }
  }
}
