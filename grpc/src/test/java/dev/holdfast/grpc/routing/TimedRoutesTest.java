// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.retry.TimedRetries;
import dev.holdfast.xds.resources.DecodeOptions;
import io.grpc.NameResolver.ConfigOrError;
import io.grpc.NameResolver.ServiceConfigParser;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Routes with a per-try timeout: who sees to their retries. */
class TimedRoutesTest {
  private static final String ROUTE =
      """
      "routes": [{"match": {"prefix": ""}, "route": {"cluster": "c",
        "max_stream_duration": {"max_stream_duration": "3s"},
        "retry_policy": {"retry_on": "internal", "per_try_timeout": "1s"}}}]
      """;
  private static final Map<String, ?> TIMEOUT_ONLY =
      Map.of("methodConfig", List.of(Map.of("name", List.of(Map.of()), "timeout", "3.000000000s")));

  private final Routing it = new Routing();

  @Test
  void channelIsNotToldOfRetriesThatItCannotDo() {
    it.router.use(it.config(ROUTE, on()), () -> {});
    assertThat(it.terms("S/M")).isEqualTo(TIMEOUT_ONLY);
    assertThat(hasRetriesOfItsOwn(it.router)).isTrue();
  }

  @Test
  void withoutTheOptionTheChannelDoesWhatItCan() {
    it.router.use(it.config(ROUTE), () -> {});
    assertThat(it.terms("S/M").toString()).contains("retryPolicy");
    assertThat(hasRetriesOfItsOwn(it.router)).isFalse();
  }

  @Test
  void channelWithRetriesDisabledHasNone() {
    CallRouter router =
        new CallRouter(
            cluster -> () -> {},
            new MethodConfigs(new WithoutRetries()),
            new TimedRetries(
                () -> {
                  throw new AssertionError("a timer");
                }),
            Routing.filters(it.random),
            it.random);
    router.use(it.config(ROUTE, on()), () -> {});
    assertThat(router.selectConfig(new FakePick("S/M")).getConfig()).isEqualTo(TIMEOUT_ONLY);
    assertThat(hasRetriesOfItsOwn(router)).isFalse();
  }

  private static DecodeOptions on() {
    return DecodeOptions.defaults().withPerTryTimeout(true);
  }

  /** Each attempt has a tracer then, by which its time is known. */
  private static boolean hasRetriesOfItsOwn(CallRouter router) {
    FakeCalls calls = Routing.start(router.selectConfig(new FakePick("S/M")), "S/M");
    calls.close();
    return !calls.options().getStreamTracerFactories().isEmpty();
  }

  /** What a channel's parser does after {@code disableRetry()}. */
  private static final class WithoutRetries extends ServiceConfigParser {
    @Override
    public ConfigOrError parseServiceConfig(Map<String, ?> raw) {
      if (!(raw.get("methodConfig") instanceof List<?> methods)) {
        return ConfigOrError.fromConfig(raw);
      }
      Map<Object, Object> method = new HashMap<>((Map<?, ?>) methods.get(0));
      method.remove("retryPolicy");
      return ConfigOrError.fromConfig(Map.of("methodConfig", List.of(method)));
    }
  }
}
