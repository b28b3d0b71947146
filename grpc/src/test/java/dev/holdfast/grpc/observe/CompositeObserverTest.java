// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import io.grpc.Status;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompositeObserverTest {
  private static final ServerConfig SERVER = ServerConfig.insecure("xds:1");

  private final List<String> heard = new ArrayList<>();

  @Test
  void passesOnEveryEvent() throws Exception {
    XdsClientObserver composite =
        CompositeObserver.of(List.of(recording("first"), recording("second")));

    for (Method event : XdsClientObserver.class.getDeclaredMethods()) {
      if (event.isDefault()) {
        heard.clear();
        event.invoke(composite, arguments(event));
        assertThat(heard).containsExactly("first " + event.getName(), "second " + event.getName());
      }
    }
  }

  @Test
  void oneThatThrowsDoesNotKeepTheOthersFromHearing() {
    XdsClientObserver broken =
        new XdsClientObserver() {
          @Override
          public void serverFailure(ServerConfig server, Status status) {
            throw new IllegalStateException("oops");
          }

          @Override
          public void uncaught(Throwable error) {
            throw new IllegalStateException("again");
          }
        };

    CompositeObserver.of(List.of(broken, recording("other")))
        .serverFailure(SERVER, Status.UNAVAILABLE);

    assertThat(heard).containsExactly("other uncaught", "other serverFailure");
  }

  private XdsClientObserver recording(String name) {
    return (XdsClientObserver)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {XdsClientObserver.class},
            (proxy, method, arguments) -> {
              heard.add(name + " " + method.getName());
              return null;
            });
  }

  private static Object[] arguments(Method event) {
    List<Object> arguments = new ArrayList<>();
    for (Class<?> type : event.getParameterTypes()) {
      if (type == int.class) {
        arguments.add(1);
      } else if (type == String.class) {
        arguments.add("text");
      } else if (type == ServerConfig.class) {
        arguments.add(SERVER);
      } else if (type == Status.class) {
        arguments.add(Status.UNAVAILABLE);
      } else if (type == Boolean.class) {
        arguments.add(true);
      } else if (type == Throwable.class) {
        arguments.add(new IllegalStateException());
      } else {
        arguments.add(TestType.CDS);
      }
    }
    return arguments.toArray();
  }
}
