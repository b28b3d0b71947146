// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static dev.holdfast.xds.client.fixture.TestType.RDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.xds.client.Resource;
import dev.holdfast.xds.client.ResourceWatcher;
import dev.holdfast.xds.client.Watch;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.TestWatcher;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Watchers and executors that misbehave, or do things from inside a callback. */
class WatcherTroubleTest {
  /** Does something with every callback. */
  private record Acting(Consumer<String> action) implements ResourceWatcher<String> {
    @Override
    public void onResourceChanged(StatusOr<Resource<String>> resource) {
      action.accept(
          resource.hasValue()
              ? resource.getValue().value()
              : String.valueOf(resource.getStatus().getCode()));
    }

    @Override
    public void onAmbientError(Status status) {
      action.accept("ambient " + status.getCode());
    }
  }

  @Test
  void aWatcherThatThrowsHarmsNobodyElse() {
    try (ClientHarness h = ClientHarness.sotw()) {
      RuntimeException thrown = new IllegalStateException("the watcher's own fault");
      h.client.watch(
          LDS,
          "foo",
          new Acting(
              text -> {
                throw thrown;
              }));
      ClientHarness.Watched second = h.watch(LDS, "foo");

      h.respond(response(LDS).version("1").resource("foo", "one"));
      h.respond(response(LDS).version("2").resource("foo", "two"));

      assertThat(second.resource()).isEqualTo("one");
      assertThat(second.resource()).isEqualTo("two");
      assertThat(h.observer.takeUncaught()).containsExactly(thrown, thrown);
      assertThat(h.stream().isReading()).isTrue();
    }
  }

  @Test
  void aWatcherThatThrowsAnErrorHarmsNobodyElse() {
    try (ClientHarness h = ClientHarness.sotw()) {
      h.client.watch(
          LDS,
          "foo",
          new Acting(
              text -> {
                throw new NoClassDefFoundError("missing.Class");
              }));
      ClientHarness.Watched second = h.watch(LDS, "foo");
      ClientHarness.Watched other = h.watch(LDS, "bar");

      h.respond(response(LDS).resource("foo", "one").resource("bar", "two"));

      assertThat(second.resource()).isEqualTo("one");
      assertThat(other.resource()).isEqualTo("two");
      assertThat(h.observer.takeUncaught()).hasSize(1);
      assertThat(h.stream().isReading()).isTrue();
    }
  }

  @Test
  void anExecutorThatRejectsDoesNotStopTheStream() {
    try (ClientHarness h = ClientHarness.sotw()) {
      RuntimeException rejected = new RejectedExecutionException("shut down");
      Executor executor =
          task -> {
            throw rejected;
          };
      ClientHarness.Watched lost = h.watch(LDS, "foo", executor);
      ClientHarness.Watched second = h.watch(LDS, "foo");

      h.respond(response(LDS).version("1").resource("foo", "one"));
      h.respond(response(LDS).version("2").resource("foo", "two"));

      assertThat(second.resource()).isEqualTo("one");
      assertThat(second.resource()).isEqualTo("two");
      lost.nothing();
      assertThat(h.observer.takeUncaught()).containsOnly(rejected);
      assertThat(h.stream().isReading()).isTrue();
    }
  }

  @Test
  void anExecutorThatRecoversCarriesTheNextCallback() {
    try (ClientHarness h = ClientHarness.sotw()) {
      boolean[] full = {true};
      ClientHarness.Watched w =
          h.watch(
              LDS,
              "foo",
              task -> {
                if (full[0]) {
                  throw new RejectedExecutionException("full");
                }
                task.run();
              });
      h.respond(response(LDS).version("1").resource("foo", "one"));
      assertThat(h.observer.takeUncaught()).isNotEmpty();
      full[0] = false;

      h.respond(response(LDS).version("2").resource("foo", "two"));

      assertThat(w.resource()).isEqualTo("two");
    }
  }

  @Test
  void whatAnExecutorRefusedIsToldWithTheNextChangeOfAnything() {
    try (ClientHarness h = ClientHarness.sotw()) {
      boolean[] full = {true};
      ClientHarness.Watched w =
          h.watch(
              LDS,
              "foo",
              task -> {
                if (full[0]) {
                  throw new RejectedExecutionException("full");
                }
                task.run();
              });
      h.respond(response(LDS).version("1").resource("foo", "one"));
      assertThat(h.observer.takeUncaught()).isNotEmpty();
      full[0] = false;

      h.transport().transientFailure(Status.UNAVAILABLE.withDescription("gone"));
      h.settle();

      assertThat(w.resource()).isEqualTo("one");
      assertThat(w.ambient().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      w.nothing();
    }
  }

  @Test
  void callbacksThatWaitForAnotherAreMadeThoughTheExecutorRefusesThem() {
    ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched w =
          h.watch(
              LDS,
              "foo",
              task -> {
                if (!tasks.isEmpty()) {
                  throw new RejectedExecutionException("room for one only");
                }
                tasks.add(task);
              });
      h.respond(
          response(LDS).resource("foo", "one").error("foo", Status.Code.INTERNAL, "overloaded"));

      tasks.element().run();
      h.settle();

      assertThat(w.resource()).isEqualTo("one");
      assertThat(w.ambient().getDescription()).contains("overloaded");
      assertThat(h.stream().isReading()).isTrue();
      assertThat(h.observer.uncaught()).isEmpty();
    }
  }

  @Test
  void callbacksOfOneWatcherKeepTheirOrderWhateverTheExecutorDoes() {
    ArrayDeque<Runnable> stack = new ArrayDeque<>();
    try (ClientHarness h = ClientHarness.sotw()) {
      ClientHarness.Watched w = h.watch(LDS, "foo", stack::push); // last in, first out
      h.respond(
          response(LDS).resource("foo", "one").error("foo", Status.Code.INTERNAL, "overloaded"));
      h.transport().transientFailure(Status.UNAVAILABLE.withDescription("refused"));
      h.settle();

      while (!stack.isEmpty()) {
        stack.pop().run();
      }
      h.settle();

      assertThat(w.resource()).isEqualTo("one");
      assertThat(w.ambient().getDescription()).contains("overloaded");
      assertThat(w.ambient().getDescription()).contains("refused");
      w.nothing();
      assertThat(h.stream().isReading()).isTrue();
    }
  }

  @Test
  void callbacksOfOneWatcherAreNotMadeInsideEachOther() {
    ManualExecutor executor = new ManualExecutor();
    try (ClientHarness h = ClientHarness.sotw()) {
      List<String> heard = new ArrayList<>();
      h.client.watch(
          LDS,
          "foo",
          new Acting(
              text -> {
                heard.add("begin " + text);
                executor.runAll(); // as another thread of a pool would
                heard.add("end " + text);
              }),
          executor);
      h.settle();
      h.respond(
          response(LDS).resource("foo", "one").error("foo", Status.Code.INTERNAL, "overloaded"));

      executor.runAll();
      h.settle();

      assertThat(heard)
          .containsExactly(
              "begin one", "end one", "begin ambient INTERNAL", "end ambient INTERNAL");
    }
  }

  @Test
  void aWatchFromInsideACallbackWorks() {
    try (ClientHarness h = ClientHarness.sotw()) {
      TestWatcher same = new TestWatcher("same");
      TestWatcher other = new TestWatcher("other");
      h.client.watch(
          LDS,
          "foo",
          new Acting(
              text -> {
                h.client.watch(LDS, "foo", same);
                h.client.watch(RDS, text, other);
              }));
      h.settle();
      h.respond(response(LDS).resource("foo", "route"));

      assertThat(same.resource()).isEqualTo("route");
      assertThat(h.stream().subscribed(RDS)).containsExactly("route");
      h.respond(response(RDS).resource("route", "two"));
      assertThat(other.resource()).isEqualTo("two");
      same.nothing();
    }
  }

  @Test
  void aWatchThatIsCancelledFromInsideItsOwnCallbackHearsNothingMore() {
    try (ClientHarness h = ClientHarness.sotw()) {
      List<String> heard = new ArrayList<>();
      List<Watch> watch = new ArrayList<>();
      watch.add(
          h.client.watch(
              CDS,
              "foo",
              new Acting(
                  text -> {
                    heard.add(text);
                    watch.get(0).cancel();
                    watch.get(0).cancel();
                  })));
      ClientHarness.Watched second = h.watch(CDS, "foo");

      h.respond(
          response(CDS).resource("foo", "one").error("foo", Status.Code.INTERNAL, "overloaded"));

      assertThat(heard).containsExactly("one");
      assertThat(second.resource()).isEqualTo("one");
      assertThat(second.ambient().getDescription()).contains("overloaded");
      assertThat(h.stream().subscribed(CDS)).containsExactly("foo");
    }
  }

  @Test
  void aWatchThatAnotherCallbackCancelsHearsNothingMore() {
    try (ClientHarness h = ClientHarness.sotw()) {
      List<ClientHarness.Watched> victim = new ArrayList<>();
      h.client.watch(CDS, "foo", new Acting(text -> victim.get(0).watch.cancel()));
      victim.add(h.watch(CDS, "foo"));

      h.respond(response(CDS).resource("foo", "one"));

      victim.get(0).nothing();
    }
  }
}
