// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.serve.Plane;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An Envoy that is started again whenever it has died, with requests all the time. */
final class SupervisedEnvoy implements AutoCloseable {
  private static final int PAUSE_MILLIS = 20;

  private final EnvoyBootstrap bootstrap;
  private final String host;
  private final Thread thread;
  private volatile EnvoyProcess envoy;
  private @Nullable Http http;
  private volatile boolean done;
  private volatile boolean upgrade;
  private int deaths;
  private int upgrades;
  private int answered;
  private final List<String> failed = new ArrayList<>();

  /** Starts one, and asks it for a host from its first answer on. */
  SupervisedEnvoy(EnvoyBootstrap bootstrap, String host) {
    this.bootstrap = bootstrap;
    this.host = host;
    this.envoy = EnvoyProcess.start(bootstrap);
    this.thread = new Thread(this::run, "supervisor of " + bootstrap.nodeId());
    thread.start();
  }

  String node() {
    return bootstrap.nodeId();
  }

  synchronized int deaths() {
    return deaths;
  }

  /** Ends the process, starts another one, and waits until that one answers. */
  void upgrade() {
    int before = upgrades();
    upgrade = true;
    Plane.await(node() + " is back", () -> upgrades() > before);
    int answered = answered();
    Plane.await(node() + " answers", () -> answered() > answered + 5);
  }

  private synchronized int upgrades() {
    return upgrades;
  }

  synchronized int answered() {
    return answered;
  }

  /** What went wrong since this process of it answered first. */
  synchronized List<String> failed() {
    return List.copyOf(failed);
  }

  /** How many seconds after some time the last of some Envoys answers for a host. */
  static CompletableFuture<Double> served(List<SupervisedEnvoy> all, String host, long began) {
    return CompletableFuture.supplyAsync(
        () -> {
          all.forEach(
              each -> Plane.await(each.node() + " serves " + host, () -> each.serves(host)));
          return (System.nanoTime() - began) / 1e9;
        });
  }

  private boolean serves(String name) {
    return envoy.http("ingress_http").get("/").host(name).send().status() == 200;
  }

  private void run() {
    boolean answers = false;
    while (!done) {
      if (upgrade) {
        upgrade = false;
        envoy.close();
        envoy = EnvoyProcess.start(bootstrap);
        http = null;
        answers = false;
        synchronized (this) {
          upgrades++;
        }
      }
      if (!envoy.isAlive()) {
        synchronized (this) {
          deaths++;
          failed.clear(); // nobody can answer after his death
        }
        envoy.close();
        envoy = EnvoyProcess.start(bootstrap);
        http = null;
        answers = false;
      }
      String answer = ask();
      synchronized (this) {
        if (answer.equals("200")) {
          answers = true;
          answered++;
        } else if (answers) {
          failed.add(answer);
        }
      }
      pause();
    }
    envoy.close();
  }

  private String ask() {
    try {
      if (http == null) {
        http = envoy.http("ingress_http"); // by the admin port, which one that hangs does not serve
      }
      return Integer.toString(http.get("/").host(host).send().status());
    } catch (RuntimeException | AssertionError e) {
      return e.toString();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    done = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
