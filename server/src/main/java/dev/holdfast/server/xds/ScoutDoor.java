// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.xds;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.holdfast.base.NamePattern;
import dev.holdfast.controlplane.ads.access.AccessRule;
import dev.holdfast.controlplane.ads.access.ClientNames;
import dev.holdfast.controlplane.ads.wire.DiscoveryServices;
import dev.holdfast.server.envoy.EnvoyBootstrap;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.StartException;
import io.grpc.Attributes;
import io.grpc.BindableService;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerTransportFilter;
import io.grpc.Status;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the scouts of a server connect to it: a port of loopback that takes only calls with a
 * secret, which this process and its scouts know. So scouts need no certificate, whatever the port
 * for proxies asks of its clients.
 */
public final class ScoutDoor implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final String IDENTITY = "scouts of this server";
  private static final int TOKEN_BYTES = 32;
  private static final Metadata.Key<String> TOKEN =
      Metadata.Key.of(EnvoyBootstrap.TOKEN_HEADER, Metadata.ASCII_STRING_MARSHALLER);

  private final String token;
  private @Nullable XdsServer server;

  public ScoutDoor() {
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    token = HexFormat.of().formatHex(random);
  }

  /** What those who connect here may be, and have. */
  public static AccessRule rule() {
    return new AccessRule(
        new NamePattern(IDENTITY),
        AccessRule.Role.SCOUT,
        List.of(),
        List.of(),
        List.of(),
        /* vote= */ false,
        /* secrets= */ true);
  }

  /** What scouts have to show. */
  public String token() {
    return token;
  }

  /**
   * Opens it.
   *
   * @return where it is
   * @throws StartException if there is no port
   */
  public ListenAddress open(List<BindableService> services, int largestRequest)
      throws StartException {
    XdsServer opened =
        XdsServer.start(
            new ListenAddress(HOST, 0),
            InsecureServerCredentials.create(),
            services.stream().map(this::guarded).toList(),
            largestRequest,
            new Named());
    server = opened;
    return opened.address();
  }

  private BindableService guarded(BindableService service) {
    return () -> ServerInterceptors.intercept(service.bindService(), new Guard());
  }

  private final class Guard implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      String shown = headers.get(TOKEN);
      if (shown != null
          && MessageDigest.isEqual(shown.getBytes(US_ASCII), token.getBytes(US_ASCII))) {
        return next.startCall(call, headers);
      }
      call.close(
          Status.UNAUTHENTICATED.withDescription("this port is for the server's own scouts"),
          new Metadata());
      return new ServerCall.Listener<>() {};
    }
  }

  /** What a certificate would say. */
  private static final class Named extends ServerTransportFilter {
    @Override
    public Attributes transportReady(Attributes attributes) {
      return attributes.toBuilder()
          .set(DiscoveryServices.CLIENT_NAMES, new ClientNames(List.of(IDENTITY)))
          .build();
    }
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
