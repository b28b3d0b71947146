// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.dataplane;

import io.grpc.InternalConfigSelector;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.Status;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Stands between a channel and its resolver, and keeps what selects routes for calls. */
final class SelectorCapture extends NameResolverProvider {
  private final String scheme;
  private final NameResolverProvider real;
  private final CompletableFuture<InternalConfigSelector> selector = new CompletableFuture<>();

  /**
   * @param scheme of its own, which targets have instead of the other provider's
   */
  SelectorCapture(String scheme, NameResolverProvider real) {
    this.scheme = scheme;
    this.real = real;
  }

  /** The first that a configuration came with. */
  InternalConfigSelector selector() {
    return selector.join();
  }

  @Override
  protected boolean isAvailable() {
    return true;
  }

  @Override
  protected int priority() {
    return 4; // not the first of all: targets without a scheme are others' business
  }

  @Override
  public String getDefaultScheme() {
    return scheme;
  }

  @Override
  public @Nullable NameResolver newNameResolver(URI target, NameResolver.Args args) {
    URI renamed = URI.create(real.getDefaultScheme() + "://" + target.getPath());
    NameResolver resolver = real.newNameResolver(renamed, args);
    return resolver == null ? null : new Listening(resolver);
  }

  private final class Listening extends NameResolver {
    private final NameResolver resolver;

    Listening(NameResolver resolver) {
      this.resolver = resolver;
    }

    @Override
    public String getServiceAuthority() {
      return resolver.getServiceAuthority();
    }

    @Override
    public void start(Listener2 listener) {
      resolver.start(
          new Listener2() {
            @Override
            public void onResult(ResolutionResult result) {
              keep(result);
              listener.onResult(result);
            }

            @Override
            public Status onResult2(ResolutionResult result) {
              keep(result);
              return listener.onResult2(result);
            }

            @Override
            public void onError(Status error) {
              listener.onError(error);
            }
          });
    }

    private void keep(NameResolver.ResolutionResult result) {
      InternalConfigSelector found = result.getAttributes().get(InternalConfigSelector.KEY);
      if (found != null) {
        selector.complete(found);
      }
    }

    @Override
    public void refresh() {
      resolver.refresh();
    }

    @Override
    public void shutdown() {
      resolver.shutdown();
    }
  }
}
