// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import dev.holdfast.grpc.libraries.LibraryCheck;
import dev.holdfast.grpc.routing.ThreadSafeRandom;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.Uri;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Finds the resolver of {@code xds:} targets; found itself by the service loader. */
public final class HoldfastXdsResolverProvider extends NameResolverProvider {
  private static final String SCHEME = "xds";

  private final @Nullable ClientSource clients;
  private final ThreadSafeRandom random;

  /**
   * For the service loader, which finds providers for the channels of all schemes: what it links
   * here is there in every gRPC.
   */
  public HoldfastXdsResolverProvider() {
    clients = null;
    random = ThreadSafeRandom.system();
  }

  HoldfastXdsResolverProvider(ClientSource clients, ThreadSafeRandom random) {
    this.clients = clients;
    this.random = random;
  }

  @Override
  public @Nullable NameResolver newNameResolver(URI uri, NameResolver.Args args) {
    if (!SCHEME.equals(uri.getScheme())) {
      return null;
    }
    String path = uri.isOpaque() ? uri.getSchemeSpecificPart() : uri.getPath();
    return resolver(uri.toString(), uri.getAuthority(), path, args);
  }

  @Override
  public @Nullable NameResolver newNameResolver(Uri uri, NameResolver.Args args) {
    if (!SCHEME.equals(uri.getScheme())) {
      return null;
    }
    return resolver(uri.toString(), uri.getAuthority(), uri.getPath(), args);
  }

  private NameResolver resolver(
      String target, @Nullable String authority, @Nullable String path, NameResolver.Args args) {
    String problem = LibraryCheck.problem();
    if (problem != null) {
      return new RefusingResolver(target, problem);
    }
    try {
      return new HoldfastXdsResolver(
          XdsTarget.of(target, authority, path),
          args,
          clients == null ? ClientPool.SHARED : clients,
          random);
    } catch (LinkageError e) {
      return new RefusingResolver(target, LibraryCheck.describe(e));
    }
  }

  @Override
  public String getDefaultScheme() {
    return SCHEME;
  }

  @Override
  protected boolean isAvailable() {
    return true;
  }

  /**
   * Before grpc-xds, which has 4. The resolver of {@code dns:} has 5 as well, and must stay the
   * first of all, since gRPC takes the scheme of the first for targets without one: it does, by the
   * names of the classes.
   */
  @Override
  protected int priority() {
    return 5;
  }
}
