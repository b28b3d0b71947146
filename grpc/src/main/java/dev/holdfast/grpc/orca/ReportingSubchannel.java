// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.orca;

import com.github.xds.data.orca.v3.OrcaLoadReport;
import io.grpc.ConnectivityState;
import io.grpc.ConnectivityStateInfo;
import io.grpc.LoadBalancer.Subchannel;
import io.grpc.LoadBalancer.SubchannelStateListener;
import io.grpc.util.ForwardingSubchannel;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A subchannel whose endpoint can be asked for reports. In the synchronization context. */
public final class ReportingSubchannel extends ForwardingSubchannel {
  private final Subchannel subchannel;
  private final Runnable onConnected;
  private final Consumer<ReportingSubchannel> onShutdown;
  private final OutOfBandReports reports;

  /**
   * @param onConnected runs when there is a new connection, before anybody else hears of it
   * @param onShutdown runs when it is no longer needed
   */
  public ReportingSubchannel(
      Subchannel subchannel,
      Consumer<OrcaLoadReport> listener,
      OutOfBandReports.Surroundings around,
      Runnable onConnected,
      Consumer<ReportingSubchannel> onShutdown) {
    this.subchannel = subchannel;
    this.onConnected = onConnected;
    this.onShutdown = onShutdown;
    reports =
        new OutOfBandReports(
            subchannel::asChannel, subchannel.getChannelLogger(), listener, around);
  }

  /** See {@link OutOfBandReports#want}. */
  public void want(@Nullable Duration interval) {
    reports.want(interval);
  }

  @Override
  protected Subchannel delegate() {
    return subchannel;
  }

  @Override
  public void start(SubchannelStateListener listener) {
    subchannel.start(
        info -> {
          changed(info);
          listener.onSubchannelState(info);
        });
  }

  private void changed(ConnectivityStateInfo info) {
    boolean ready = info.getState() == ConnectivityState.READY;
    if (ready) {
      onConnected.run();
    }
    reports.connected(ready);
  }

  @Override
  public void shutdown() {
    reports.want(null);
    onShutdown.accept(this);
    subchannel.shutdown();
  }
}
