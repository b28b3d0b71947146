// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import com.google.protobuf.ByteString;
import dev.holdfast.testkit.Recorder;
import dev.holdfast.xds.client.transport.XdsTransport;
import io.grpc.Status;

/** Records what a transport tells the engine. */
final class Events implements XdsTransport.StreamListener, XdsTransport.Listener {
  static final Object SENT = "sent";
  static final Object CONNECTED = "connected";

  private final Recorder<Object> stream = new Recorder<>("stream event");
  private final Recorder<Object> connection = new Recorder<>("connection event");

  /** The next event of the stream. */
  Object next() {
    return stream.next();
  }

  Status awaitClosed() {
    return (Status) stream.next(event -> event instanceof Status);
  }

  void awaitConnected() {
    connection.next(CONNECTED::equals);
  }

  Recorder<Object> ofStream() {
    return stream;
  }

  @Override
  public void onSent() {
    stream.add(SENT);
  }

  @Override
  public void onResponse(ByteString response) {
    stream.add(response);
  }

  @Override
  public void onClosed(Status status) {
    stream.add(status);
  }

  @Override
  public void onTransientFailure(Status cause) {
    connection.add(cause);
  }

  @Override
  public void onConnected() {
    connection.add(CONNECTED);
  }
}
