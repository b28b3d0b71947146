// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.config.RoutedCall;
import dev.holdfast.grpc.filter.ClientFilters;
import dev.holdfast.grpc.filter.FilterEnvironment;
import dev.holdfast.grpc.retry.TimedRetries;
import dev.holdfast.grpc.routing.CallRouter;
import dev.holdfast.grpc.routing.MethodConfigs;
import dev.holdfast.grpc.routing.ThreadSafeRandom;
import io.grpc.CallOptions;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.PickSubchannelArgs;
import io.grpc.LoadBalancer.SubchannelPicker;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.NameResolver;
import io.grpc.NameResolver.ResolutionResult;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Libraries that turn out not to fit while a channel is in use: its calls fail with a line about
 * that; they neither wait nor end the channel.
 */
class LinkageErrorsTest {
  private final List<Status> errors = new ArrayList<>();
  private final List<ResolutionResult> results = new ArrayList<>();

  @Test
  void aClientThatDoesNotLinkIsAFailureThatListsTheLibraries() {
    NameResolver resolver =
        new HoldfastXdsResolver(
            XdsTarget.of("xds:///svc", "", "/svc"),
            Channels.args(),
            (target, options) -> {
              throw new NoSuchMethodError("'void io.grpc.X.y()'");
            },
            ThreadSafeRandom.system());

    resolver.start(new Recording());

    assertThat(results).hasSize(1);
    ResolutionFailure failure = results.get(0).getAttributes().get(ResolutionFailure.KEY);
    assertThat(failure).isNotNull();
    assertThat(failure.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(failure.status().getDescription())
        .startsWith(
            "target xds:///svc: the libraries on the class path do not fit together:"
                + " java.lang.NoSuchMethodError: 'void io.grpc.X.y()'; there are grpc-api 1.")
        .contains("protobuf-java 3.", "gson 2.")
        .doesNotContain("\n");
    resolver.shutdown();
  }

  @Test
  void whereTheResolverCannotBeUsedAnotherOneFailsCallsWithTheReason() {
    RefusingResolver resolver = new RefusingResolver("xds:///svc", "too old");

    resolver.start(new Recording());
    resolver.refresh();
    resolver.shutdown();

    assertThat(errors)
        .extracting(status -> status.getCode() + " " + status.getDescription())
        .containsExactly(
            "UNAVAILABLE target xds:///svc: too old", "UNAVAILABLE target xds:///svc: too old");
    assertThat(resolver.getServiceAuthority()).isNotEmpty();
  }

  @Test
  void aPickThatDoesNotLinkEndsItsCallOnly() {
    NameResolver.Args args = Channels.args();
    CallRouter router =
        new CallRouter(
            cluster -> {
              throw new AssertionError("nothing is routed");
            },
            new MethodConfigs(args.getServiceConfigParser()),
            new TimedRetries(args::getScheduledExecutorService),
            new ClientFilters(FilterEnvironment.of(args::getScheduledExecutorService, bound -> 0)),
            ThreadSafeRandom.system());
    SubchannelPicker broken =
        new SubchannelPicker() {
          @Override
          public PickResult pickSubchannel(PickSubchannelArgs call) {
            throw new NoSuchMethodError("'void io.grpc.X.y()'");
          }
        };

    PickResult result = new LateRoutingPicker(broken, router).pickSubchannel(new RoutedArgs());

    assertThat(result.isDrop()).isTrue();
    assertThat(result.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(result.getStatus().getDescription()).contains("do not fit together", "io.grpc.X.y");
  }

  private static final class RoutedArgs extends PickSubchannelArgs {
    @Override
    public CallOptions getCallOptions() {
      return CallOptions.DEFAULT.withOption(
          RoutedCall.KEY, new RoutedCall("c", 0, /* autoHostRewrite= */ false));
    }

    @Override
    public Metadata getHeaders() {
      return new Metadata();
    }

    @Override
    public MethodDescriptor<?, ?> getMethodDescriptor() {
      throw new UnsupportedOperationException();
    }
  }

  private final class Recording extends NameResolver.Listener2 {
    @Override
    public void onResult(ResolutionResult result) {
      results.add(result);
    }

    @Override
    public Status onResult2(ResolutionResult result) {
      results.add(result);
      return Status.OK;
    }

    @Override
    public void onError(Status error) {
      errors.add(error);
    }
  }
}
