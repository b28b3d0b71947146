// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import static io.grpc.ConnectivityState.CONNECTING;
import static io.grpc.ConnectivityState.IDLE;

import com.github.xds.data.orca.v3.OrcaLoadReport;
import dev.holdfast.grpc.orca.CallReports;
import dev.holdfast.grpc.orca.OutOfBandReports;
import dev.holdfast.grpc.orca.ReportingSubchannel;
import io.grpc.ConnectivityState;
import io.grpc.EquivalentAddressGroup;
import io.grpc.LoadBalancer;
import io.grpc.Status;
import io.grpc.SynchronizationContext.ScheduledHandle;
import io.grpc.util.MultiChildLoadBalancer;
import java.util.ArrayList;
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
public final class WeightedRoundRobinBalancer extends MultiChildLoadBalancer {
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
    super(helper);
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
  protected void updateOverallBalancingState() {
    ChildStates states = new ChildStates();
    for (ChildLbState endpoint : getChildLbStates()) {
      // Idle ones are told to connect as soon as they are seen.
      ConnectivityState state = endpoint.getCurrentState();
      states.add(state == IDLE ? CONNECTING : state);
    }
    ConnectivityState state = states.aggregate();
    currentConnectivityState = state;
    if (state == CONNECTING) {
      picker = null;
      getHelper()
          .updateBalancingState(
              state, Pickers.connecting("weighted_round_robin: no endpoint connected yet"));
      return;
    }
    List<WeightedRoundRobinPicker.Endpoint> endpoints = endpointsIn(state);
    WeightedRoundRobinPicker next = new WeightedRoundRobinPicker(endpoints, scheduler(endpoints));
    picker = next;
    getHelper().updateBalancingState(state, next);
  }

  private List<WeightedRoundRobinPicker.Endpoint> endpointsIn(ConnectivityState state) {
    List<WeightedRoundRobinPicker.Endpoint> endpoints = new ArrayList<>();
    for (ChildLbState child : getChildLbStates()) {
      if (child.getCurrentState() == state) {
        WeightedEndpoint endpoint = (WeightedEndpoint) child;
        endpoints.add(
            new WeightedRoundRobinPicker.Endpoint(
                endpoint.getCurrentPicker(),
                endpoint.weight,
                config().outOfBand() == null ? endpoint.callReports : null));
      }
    }
    return endpoints;
  }

  @Override
  public void shutdown() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
    super.shutdown();
  }

  private final class WeightedEndpoint extends ChildLbState {
    private final EndpointWeight weight = new EndpointWeight();
    private final CallReports callReports = CallReports.to(this::report, null);
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

    private final class EndpointHelper extends ChildLbStateHelper {
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

      @Override
      public void updateBalancingState(ConnectivityState state, SubchannelPicker newPicker) {
        super.updateBalancingState(state, newPicker);
        if (state == IDLE) {
          getLb().requestConnection();
        }
      }
    }
  }
}
