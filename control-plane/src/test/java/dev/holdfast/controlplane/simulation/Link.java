// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.holdfast.base.TimeSource;
import dev.holdfast.testkit.envoy.AdsTransport;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One stream. What either end says waits here, in order, until it is delivered. An end learns that
 * the other is gone when it is told, which may be much later.
 */
final class Link implements AdsTransport.Stream {
  /** How many responses may wait before the server is told to. */
  private static final int WINDOW = 4;

  final Peer owner;
  final int process;
  private final int number;
  private final boolean delta;
  private final AdsTransport.Receiver client;
  private final @Nullable Paced paced;
  private final TimeSource time;
  private final Deque<Message> up = new ArrayDeque<>();
  private final Deque<Message> down = new ArrayDeque<>();
  private final Map<String, String> lastNonces = new HashMap<>();
  private ServerCall.@Nullable Listener<Object> server;
  private @Nullable MethodDescriptor<Object, ByteString> method;
  private int requested;
  private boolean clientOpen = true;
  private boolean serverOpen;

  /** Something that an end has yet to hear of. */
  private boolean opening = true;

  private boolean cancelling;
  private boolean ending;
  private boolean stalled;
  private boolean mistaken;

  /** Since when the next thing waits to be delivered. */
  private long since;

  /** A client that wants to know when a request has left, and says when it reads on. */
  interface Paced extends AdsTransport.Receiver {
    void onSent();

    boolean isReading();
  }

  Link(Peer owner, int number, boolean delta, AdsTransport.Receiver client, TimeSource time) {
    this.owner = owner;
    this.time = time;
    this.since = time.nanoTime();
    this.process = owner.process();
    this.number = number;
    this.delta = delta;
    this.client = client;
    this.paced = client instanceof Paced each ? each : null;
  }

  // The client's end.

  @Override
  public void send(Message request) {
    if (clientOpen) {
      waitsFromNow();
      up.add(request);
      if (paced != null && serverOpen) {
        paced.onSent();
      }
    }
  }

  @Override
  public void cancel() {
    clientOpen = false;
    ending = false;
    down.clear();
    cancelling = serverOpen;
    opening = false;
  }

  /** The client is about to read on. */
  void beforeReading() {
    waitsFromNow();
  }

  // What becomes of it.

  /** The connection breaks: what is on its way is lost. */
  void cut() {
    up.clear();
    down.clear();
    ending = clientOpen;
    cancelling = serverOpen;
    opening = false;
  }

  /** The server's process is gone; what it has sent may still arrive. */
  void serverDied(boolean loseResponses) {
    if (loseResponses) {
      down.clear();
    }
    up.clear();
    serverOpen = false;
    cancelling = false;
    ending = clientOpen;
    server = null;
    opening = false;
  }

  /** Whether the control plane has seen it begin, and not end. */
  boolean isServerOpen() {
    return serverOpen;
  }

  boolean isOpen() {
    return clientOpen && serverOpen && !ending && !cancelling;
  }

  boolean isOver() {
    return !clientOpen && !serverOpen;
  }

  boolean hasUp() {
    return opening || cancelling || (serverOpen && requested > 0 && !up.isEmpty());
  }

  boolean hasDown() {
    return clientOpen && (isReadable() || ending);
  }

  /** Whether there is a response that the client would take. */
  private boolean isReadable() {
    return !down.isEmpty() && (paced == null || paced.isReading());
  }

  private void waitsFromNow() {
    if (!hasUp() && !hasDown()) {
      since = time.nanoTime();
    }
  }

  /** For how long the next thing has been waiting to be delivered; 0 if there is nothing. */
  long waited() {
    return hasUp() || hasDown() ? time.nanoTime() - since : 0;
  }

  /** Delivers the next thing to the server; the result is the request, if it was one. */
  @Nullable Message deliverUp(@Nullable Life current) {
    since = time.nanoTime();
    if (opening) {
      opening = false;
      if (current == null) {
        ending = true;
      } else {
        open(current);
      }
      return null;
    }
    ServerCall.Listener<Object> listener = server;
    if (listener == null) {
      throw new AssertionError("nobody to deliver to");
    }
    if (cancelling) {
      cancelling = false;
      serverOpen = false;
      up.clear();
      listener.onCancel();
      return null;
    }
    Message request = up.remove();
    requested--;
    listener.onMessage(requireNonNull(method).parseRequest(request.toByteString().newInput()));
    return request;
  }

  /** Delivers the next thing to the client; the result is the response, if it was one. */
  @Nullable Message deliverDown() {
    since = time.nanoTime();
    Message response = isReadable() ? down.poll() : null;
    if (response == null) {
      down.clear(); // of a connection that is no more
      ending = false;
      clientOpen = false;
      client.onEnd();
      return null;
    }
    if (stalled && down.size() < WINDOW && server != null) {
      stalled = false;
      server.onReady();
    }
    client.onResponse(response);
    return response;
  }

  /** Whether the server has sent nothing of a type after this. */
  boolean isLast(String type, String nonce) {
    return nonce.equals(lastNonces.get(type));
  }

  private Message parse(ByteString bytes) {
    try {
      if (delta) {
        DeltaDiscoveryResponse response = DeltaDiscoveryResponse.parseFrom(bytes);
        lastNonces.put(response.getTypeUrl(), response.getNonce());
        return response;
      }
      DiscoveryResponse response = DiscoveryResponse.parseFrom(bytes);
      lastNonces.put(response.getTypeUrl(), response.getNonce());
      return response;
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  // The server's end.

  @SuppressWarnings("unchecked") // it reads its own requests
  private void open(Life current) {
    serverOpen = true;
    ServerMethodDefinition<Object, ByteString> definition =
        (ServerMethodDefinition<Object, ByteString>) current.method(delta);
    method = definition.getMethodDescriptor();
    server = definition.getServerCallHandler().startCall(new Call(method), new Metadata());
    if (paced != null && !up.isEmpty()) {
      paced.onSent();
    }
  }

  /** The call as the server sees it. */
  private final class Call extends ServerCall<Object, ByteString> {
    private final MethodDescriptor<Object, ByteString> method;

    Call(MethodDescriptor<Object, ByteString> method) {
      this.method = method;
    }

    @Override
    public void request(int count) {
      requested += count;
    }

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(ByteString message) {
      if (serverOpen && !cancelling) {
        waitsFromNow();
        down.add(parse(message));
      }
    }

    @Override
    public boolean isReady() {
      boolean ready = down.size() < WINDOW;
      stalled |= !ready;
      return ready;
    }

    @Override
    public void close(Status status, Metadata trailers) {
      serverOpen = false;
      ending = clientOpen;
      mistaken = String.valueOf(status.getDescription()).startsWith("another process");
    }

    @Override
    public boolean isCancelled() {
      return !serverOpen;
    }

    @Override
    public MethodDescriptor<Object, ByteString> getMethodDescriptor() {
      return method;
    }
  }

  /** Whether the server ended it because it had taken its process for another one. */
  boolean isMistaken() {
    return mistaken;
  }

  @Override
  public String toString() {
    return owner + "/" + number;
  }
}
