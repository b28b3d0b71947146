// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.config.XdsConfig;
import dev.holdfast.grpc.filter.FilterChain;
import dev.holdfast.grpc.retry.TimedRetries;
import dev.holdfast.xds.resources.filter.FaultAbort;
import dev.holdfast.xds.resources.filter.FaultShare;
import dev.holdfast.xds.resources.filter.FilterConfig;
import dev.holdfast.xds.resources.listener.HttpFilter;
import io.grpc.ClientCall;
import io.grpc.InternalConfigSelector.Result;
import io.grpc.Metadata;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which configuration a filter has for a call (gRFC A39), seen by the faults that it injects. */
class FilterOverridesTest {
  private static final HttpFilter ROUTER = new HttpFilter("router", new FilterConfig.Router());

  private final Routing it = new Routing();

  private static FilterConfig abort(int status) {
    return new FilterConfig.Fault(
        null,
        new FaultAbort(new FaultAbort.GrpcStatus(status), new FaultShare(100, 10_000)),
        FilterConfig.Fault.UNLIMITED);
  }

  /** The field of an override for the filter {@code f}. */
  private static String override(String value) {
    return "\"typed_per_filter_config\": {\"f\": " + value + "}";
  }

  private static String fault(int status) {
    return "{\"@type\": \"type.googleapis.com/envoy.extensions.filters.http.fault.v3.HTTPFault\","
        + " \"abort\": {\"grpc_status\": "
        + status
        + ", \"percentage\": {\"numerator\": 100}}}";
  }

  private static String wrapped(String content) {
    return "{\"@type\": \"type.googleapis.com/envoy.config.route.v3.FilterConfig\", "
        + content
        + "}";
  }

  private static String route(String path, String fields) {
    return "{\"match\": {\"prefix\": \""
        + path
        + "\"}, \"route\": {\"cluster\": \"c\"}"
        + (fields.isEmpty() ? "" : ", " + fields)
        + "}";
  }

  /** What a call was failed with; null if it came through. */
  private Status.@Nullable Code call(String method) {
    Result result = it.router.selectConfig(new FakePick(method));
    assertThat(result.getStatus().isOk()).as("%s", result.getStatus()).isTrue();
    FakePick pick = new FakePick(method);
    FakeCalls calls = new FakeCalls();
    Status[] closed = new Status[1];
    requireNonNull(result.getInterceptor())
        .interceptCall(pick.method(), pick.getCallOptions(), calls)
        .start(
            new ClientCall.Listener<>() {
              @Override
              public void onClose(Status status, Metadata trailers) {
                closed[0] = status;
              }
            },
            new Metadata());
    if (closed[0] == null) {
      calls.close();
      return null;
    }
    return closed[0].getCode();
  }

  @Test
  void mostSpecificOverrideIsUsed() {
    it.filters(new HttpFilter("f", abort(1)), ROUTER)
        .host(
            override(fault(2))
                + ", \"routes\": ["
                + route("/Route", override(fault(3)))
                + ", {\"match\": {\"prefix\": \"/Cluster\"}, "
                + override(fault(3))
                + ", \"route\": {\"weighted_clusters\": {\"clusters\": ["
                + "{\"name\": \"a\", \"weight\": 1, "
                + override(fault(4))
                + "}, {\"name\": \"b\", \"weight\": 1}]}}}, "
                + route("", "")
                + "]");
    assertThat(call("Host/M")).isEqualTo(Status.Code.UNKNOWN);
    assertThat(call("Route/M")).isEqualTo(Status.Code.INVALID_ARGUMENT);
    it.random.then(0, 0); // the hash, and the cluster
    assertThat(call("Cluster/M")).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    it.random.then(1);
    assertThat(call("Cluster/M"))
        .as("of the other cluster")
        .isEqualTo(Status.Code.INVALID_ARGUMENT);
  }

  @Test
  void withoutAnOverrideTheListenerDecides() {
    it.filters(new HttpFilter("f", abort(1)), ROUTER).routes(route("", ""));
    assertThat(call("S/M")).isEqualTo(Status.Code.CANCELLED);
  }

  @Test
  void filterCanBeDisabledAndEnabled() {
    it.filters(
            new HttpFilter("f", abort(1)),
            new HttpFilter("off", abort(5), /* disabled= */ true),
            ROUTER)
        .host(
            override(wrapped("\"disabled\": true"))
                + ", \"routes\": ["
                + route("/On", override(wrapped("\"config\": " + fault(3))))
                + ", "
                + route("/Off", "\"typed_per_filter_config\": {\"off\": " + fault(5) + "}")
                + ", "
                + route("", "")
                + "]");
    assertThat(call("S/M")).isNull();
    assertThat(call("On/M")).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(call("Off/M")).isEqualTo(Status.Code.NOT_FOUND);
  }

  @Test
  void overrideOfAnotherKindOrForAnotherNameIsNotUsed() {
    String rbac =
        "{\"@type\": \"type.googleapis.com/envoy.extensions.filters.http.rbac.v3.RBACPerRoute\"}";
    it.filters(new HttpFilter("f", abort(1)), ROUTER)
        .routes(
            route("/Kind", override(rbac))
                + ", "
                + route("", "\"typed_per_filter_config\": {\"g\": " + fault(3) + "}"));
    assertThat(call("Kind/M")).isEqualTo(Status.Code.CANCELLED);
    assertThat(call("S/M")).isEqualTo(Status.Code.CANCELLED);
  }

  @Test
  void filtersRunInTheirOrder() {
    it.filters(new HttpFilter("g", abort(6)), new HttpFilter("f", abort(1)), ROUTER)
        .routes(route("", ""));
    assertThat(call("S/M")).isEqualTo(Status.Code.ALREADY_EXISTS);
  }

  @Test
  void callThatAFilterFailsLetsGoOfItsCluster() {
    it.filters(new HttpFilter("f", abort(1)), ROUTER).routes(route("", ""));
    call("S/M");
    it.router.stop();
    assertThat(it.subscribed).isEmpty();
  }

  @Test
  void filtersAreMadeOncePerUpdateAndNeverForACall() {
    XdsConfig config =
        it.filters(new HttpFilter("f", abort(1)), ROUTER)
            .config("\"routes\": [" + route("", "") + "]");
    RoutingTable table = maker().make(config);
    assertThat(filters(table)).isNotNull().isSameAs(filters(table));
  }

  @Test
  void withoutFiltersCallsHaveNothingToPass() {
    XdsConfig config = it.filters(ROUTER).config("\"routes\": [" + route("", "") + "]");
    assertThat(filters(maker().make(config))).isNull();
  }

  private RoutingTable.Maker maker() {
    return new RoutingTable.Maker(
        new HeldClusters(cluster -> () -> {}),
        new RoutingTable.Parts(
            new MethodConfigs(it.parser()),
            new TimedRetries(
                () -> {
                  throw new AssertionError("a timer");
                }),
            Routing.filters(it.random)),
        it.random);
  }

  private @Nullable FilterChain filters(RoutingTable table) {
    RoutingTable.Entry entry = requireNonNull(table.find("S/M", new Metadata()));
    return requireNonNull(entry.forwarding()).choose(it.random).filters();
  }
}
