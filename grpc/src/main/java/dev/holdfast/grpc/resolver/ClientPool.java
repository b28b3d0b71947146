// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import dev.holdfast.base.Env;
import dev.holdfast.grpc.DataPlaneClient;
import dev.holdfast.grpc.XdsClientBuilder;
import dev.holdfast.grpc.XdsTypes;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.load.LoadReports;
import dev.holdfast.grpc.security.ClusterSecurity;
import dev.holdfast.xds.client.XdsClient;
import dev.holdfast.xds.resources.DecodeOptions;
import io.grpc.MetricRecorder;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One client per target, shared by the channels that have it and closed when the last of them is
 * done with it (gRFC A71). Thread-safe.
 */
final class ClientPool implements ClientSource {
  /** The one of this process. */
  static final ClientPool SHARED = new ClientPool(System.getenv());

  private final Map<String, String> environment;

  // Guarded by this.
  private final Map<Key, Shared> clients = new HashMap<>();

  ClientPool(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  private record Key(String target, XdsOptions options) {}

  @Override
  public Lease lease(String target, XdsOptions options) {
    return lease(target, options, null);
  }

  @Override
  public synchronized Lease lease(
      String target, XdsOptions options, @Nullable MetricRecorder recorder) {
    Key key = new Key(target, options);
    Shared shared = clients.get(key);
    if (shared == null) {
      shared = open(key, recorder);
      clients.put(key, shared);
    }
    shared.leases++;
    return new SharedLease(key, shared);
  }

  private Shared open(Key key, @Nullable MetricRecorder recorder) {
    XdsBootstrap given = key.options().bootstrap();
    XdsBootstrap bootstrap = given == null ? XdsBootstrap.fromEnvironment(environment) : given;
    DecodeOptions decoding = XdsTypes.options(bootstrap, environment);
    if (key.options().perTryTimeout()) {
      decoding = decoding.withPerTryTimeout(true);
    }
    XdsClientBuilder builder = key.options().client(bootstrap, key.target());
    if (recorder != null) {
      builder.metrics(recorder);
    }
    return new Shared(
        builder.build(),
        new XdsTypes(decoding),
        bootstrap,
        key.options().clusterTlsIgnored()
            ? ClusterSecurity.clusterTlsIgnored()
            : ClusterSecurity.of(bootstrap, Env.system()));
  }

  private void giveBack(Key key, Shared shared) {
    synchronized (this) {
      shared.leases--;
      if (shared.leases > 0) {
        return;
      }
      clients.remove(key);
    }
    shared.client.close();
    shared.security.close();
  }

  private static final class Shared {
    final DataPlaneClient client;
    final XdsTypes types;
    final XdsBootstrap bootstrap;
    final ClusterSecurity security;
    int leases;

    Shared(
        DataPlaneClient client, XdsTypes types, XdsBootstrap bootstrap, ClusterSecurity security) {
      this.client = client;
      this.types = types;
      this.bootstrap = bootstrap;
      this.security = security;
    }
  }

  private final class SharedLease implements Lease {
    private final Key key;
    private final Shared shared;
    private final AtomicBoolean open = new AtomicBoolean(true);

    SharedLease(Key key, Shared shared) {
      this.key = key;
      this.shared = shared;
    }

    @Override
    public XdsClient client() {
      return shared.client;
    }

    @Override
    public LoadReports loads() {
      return shared.client.loadReports();
    }

    @Override
    public XdsTypes types() {
      return shared.types;
    }

    @Override
    public XdsBootstrap bootstrap() {
      return shared.bootstrap;
    }

    @Override
    public ClusterSecurity security() {
      return shared.security;
    }

    @Override
    public void close() {
      if (open.compareAndSet(true, false)) {
        giveBack(key, shared);
      }
    }
  }
}
