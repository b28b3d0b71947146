// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import com.google.protobuf.Message;
import dev.holdfast.xds.client.transport.XdsTransport;
import io.grpc.Status;
import java.util.function.Function;

/** A link, as our client sees it. */
final class AppStream implements XdsTransport.Stream, Link.Paced {
  final Link link;
  private final XdsTransport.StreamListener listener;

  /** How many responses may come. */
  private int wanted;

  AppStream(XdsTransport.StreamListener listener, Function<Link.Paced, Link> open) {
    this.listener = listener;
    this.link = open.apply(this);
  }

  // What the client says.

  @Override
  public void send(Message request) {
    link.send(request);
  }

  @Override
  public void requestNext() {
    link.beforeReading();
    wanted++;
  }

  @Override
  public void cancel(String reason) {
    link.cancel();
  }

  // What it hears.

  @Override
  public boolean isReading() {
    return wanted > 0;
  }

  @Override
  public void onSent() {
    listener.onSent();
  }

  @Override
  public void onResponse(Message response) {
    wanted--;
    listener.onResponse(response.toByteString());
  }

  @Override
  public void onEnd() {
    listener.onClosed(Status.UNAVAILABLE.withDescription("connection lost"));
  }
}
