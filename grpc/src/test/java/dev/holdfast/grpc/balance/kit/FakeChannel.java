// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.kit;

import dev.holdfast.testkit.ManualScheduler;
import dev.holdfast.testkit.ManualTime;
import io.grpc.ChannelCredentials;
import io.grpc.ChannelLogger;
import io.grpc.ConnectivityState;
import io.grpc.DoubleHistogramMetricInstrument;
import io.grpc.EquivalentAddressGroup;
import io.grpc.LoadBalancer;
import io.grpc.LoadBalancer.CreateSubchannelArgs;
import io.grpc.LoadBalancer.Helper;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.Subchannel;
import io.grpc.LoadBalancer.SubchannelPicker;
import io.grpc.LongCounterMetricInstrument;
import io.grpc.ManagedChannel;
import io.grpc.MetricRecorder;
import io.grpc.Status;
import io.grpc.SynchronizationContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** A channel as balancers see it: what they created, what they said, and a clock. */
public final class FakeChannel extends Helper {
  private final ManualTime time = new ManualTime();
  private final ManualScheduler scheduler = new ManualScheduler(time);
  private final SynchronizationContext context =
      new SynchronizationContext(
          (thread, error) -> {
            throw new AssertionError(error);
          });
  private final List<FakeSubchannel> subchannels = new ArrayList<>();
  private final List<List<String>> counted = new ArrayList<>();
  private final Map<String, Double> measured = new TreeMap<>();
  private final List<ConnectivityState> states = new ArrayList<>();
  private @Nullable SubchannelPicker picker;
  private int refreshes;
  private @Nullable ChannelCredentials credentials;

  /** Runs a task where balancers expect to be called. */
  public void run(Runnable task) {
    context.execute(task);
  }

  /** Gives a balancer its configuration. */
  public void give(
      LoadBalancer balancer, @Nullable Object config, List<EquivalentAddressGroup> addresses) {
    run(
        () ->
            balancer.acceptResolvedAddresses(
                LoadBalancer.ResolvedAddresses.newBuilder()
                    .setAddresses(addresses)
                    .setLoadBalancingPolicyConfig(config)
                    .build()));
  }

  /** What its clock shows. */
  public long nanoTime() {
    return time.nanoTime();
  }

  public void advance(Duration by) {
    time.advance(by);
  }

  /** How long until each timer that is set. */
  public List<Duration> timers() {
    return time.pending();
  }

  /** All states that were reported, the last one last. */
  public List<ConnectivityState> states() {
    return List.copyOf(states);
  }

  public ConnectivityState state() {
    return states.get(states.size() - 1);
  }

  /** How often a state and a picker were reported. */
  public int reports() {
    return states.size();
  }

  public SubchannelPicker picker() {
    return Objects.requireNonNull(picker, "no picker so far");
  }

  public PickResult pick(FakeCall call) {
    return picker().pickSubchannel(call);
  }

  /** The error that a call to anywhere ends with; fails if it does not end with one. */
  public Status error(FakeCall call) {
    PickResult result = pick(call);
    if (result.getStatus().isOk()) {
      throw new AssertionError("no error: " + result);
    }
    return result.getStatus();
  }

  /** The port that a call is sent to; fails if it is not sent anywhere. */
  public int port(FakeCall call) {
    PickResult result = pick(call);
    Subchannel subchannel = result.getSubchannel();
    if (subchannel == null) {
      throw new AssertionError("not sent: " + result);
    }
    return ((FakeSubchannel) subchannel.getInternalSubchannel()).port();
  }

  /** All subchannels that were ever created. */
  public List<FakeSubchannel> subchannels() {
    return List.copyOf(subchannels);
  }

  /** The last one that was created with this port as its first address. */
  public FakeSubchannel subchannel(int port) {
    for (int i = subchannels.size() - 1; i >= 0; i--) {
      if (subchannels.get(i).port() == port) {
        return subchannels.get(i);
      }
    }
    throw new AssertionError("no subchannel to port " + port + " in " + subchannels);
  }

  /** The labels of each count of a metric. */
  public List<List<String>> counted() {
    return List.copyOf(counted);
  }

  /** The sums of each metric, by its name and optional labels. */
  public Map<String, Double> measured() {
    return new TreeMap<>(measured);
  }

  public int refreshes() {
    return refreshes;
  }

  @Override
  public Subchannel createSubchannel(CreateSubchannelArgs args) {
    context.throwIfNotInThisSynchronizationContext();
    FakeSubchannel subchannel = new FakeSubchannel(this, args);
    subchannels.add(subchannel);
    return subchannel;
  }

  @Override
  public void updateBalancingState(ConnectivityState state, SubchannelPicker newPicker) {
    context.throwIfNotInThisSynchronizationContext();
    states.add(state);
    picker = newPicker;
  }

  @Override
  public void refreshNameResolution() {
    refreshes++;
  }

  @Override
  public SynchronizationContext getSynchronizationContext() {
    return context;
  }

  @Override
  public ScheduledExecutorService getScheduledExecutorService() {
    return scheduler;
  }

  /** The credentials that the application gave its channel. */
  public void credentials(ChannelCredentials given) {
    credentials = given;
  }

  @Override
  public ChannelCredentials getUnsafeChannelCredentials() {
    return Objects.requireNonNull(credentials, "no test gave credentials");
  }

  @Override
  public String getAuthority() {
    return "fake";
  }

  @Override
  public String getChannelTarget() {
    return "xds:///fake";
  }

  @Override
  public ChannelLogger getChannelLogger() {
    return new ChannelLogger() {
      @Override
      public void log(ChannelLogLevel level, String message) {}

      @Override
      public void log(ChannelLogLevel level, String format, Object... args) {}
    };
  }

  @Override
  public MetricRecorder getMetricRecorder() {
    return new MetricRecorder() {
      @Override
      public void addLongCounter(
          LongCounterMetricInstrument metric,
          long value,
          List<String> required,
          List<String> optional) {
        counted.add(required);
        measured.merge(metric.getName() + optional, (double) value, Double::sum);
      }

      @Override
      public void recordDoubleHistogram(
          DoubleHistogramMetricInstrument metric,
          double value,
          List<String> required,
          List<String> optional) {
        measured.merge(metric.getName() + optional, value, Double::sum);
      }
    };
  }

  @Override
  public ManagedChannel createOobChannel(EquivalentAddressGroup group, String authority) {
    throw new UnsupportedOperationException();
  }
}
