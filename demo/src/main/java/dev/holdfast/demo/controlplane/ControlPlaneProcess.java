// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.controlplane;

import dev.holdfast.demo.process.ChildProcess;
import dev.holdfast.demo.process.ChildProcesses;
import dev.holdfast.demo.process.FreePorts;
import dev.holdfast.demo.process.Workspace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The control plane in a process of its own, which can be killed, frozen and started again. */
public final class ControlPlaneProcess {
  private final List<String> command;
  private final ChildProcesses children;
  private final Workspace workspace;
  private final int xdsPort;
  private final AdminApi admin;
  private @Nullable ChildProcess process;

  /**
   * @param serve what runs {@code holdfast serve}, without its arguments
   * @param httpPort where Envoys are to listen
   */
  public ControlPlaneProcess(
      List<String> serve,
      ChildProcesses children,
      Workspace workspace,
      FreePorts ports,
      int httpPort)
      throws IOException {
    this.children = children;
    this.workspace = workspace;
    xdsPort = ports.next();
    int adminPort = ports.next();
    admin = new AdminApi(adminPort);
    command = new ArrayList<>(serve);
    command.addAll(
        List.of(
            workspace.objects().toString(),
            "--state",
            workspace.file("state.db").toString(),
            "--xds-address",
            "127.0.0.1:" + xdsPort,
            "--admin-address",
            "127.0.0.1:" + adminPort,
            "--http-address",
            "127.0.0.1:" + httpPort,
            "--https-address",
            "127.0.0.1:" + ports.next(),
            "--extension-code", // the teams of the demo write scripts
            "lua"));
  }

  /** Starts it; it is of use as soon as it {@link #isReady}. */
  public void start() throws IOException {
    process = children.start(command, workspace.file("control-plane.log"));
  }

  /** Starts it with an Envoy of its own, which serves nobody. */
  public void startWithScout(String envoy) throws IOException {
    List<String> more = new ArrayList<>(command);
    more.addAll(List.of("--scout-envoy", envoy));
    process = children.start(more, workspace.file("control-plane.log"));
  }

  /**
   * Whether all objects have been read and are served.
   *
   * @throws IOException if it has ended, so that it never will be
   */
  public boolean isReady() throws IOException {
    ChildProcess running = running();
    if (!running.isAlive()) {
      throw new IOException(
          "the control plane process exited: " + String.join("; ", running.lastLines()).strip());
    }
    return admin.isReady();
  }

  /** {@code kill -9}; returns the exit code. */
  public int kill() throws IOException {
    ChildProcess running = running();
    running.signal("KILL");
    int code = running.awaitExit();
    running.close();
    return code;
  }

  /** Freezes the process with SIGSTOP: it keeps its connections open but does not respond. */
  public void freeze() throws IOException {
    running().signal("STOP");
  }

  /** Goes on after {@link #freeze}. */
  public void thaw() throws IOException {
    running().signal("CONT");
  }

  public long pid() {
    return running().pid();
  }

  public int xdsPort() {
    return xdsPort;
  }

  public AdminApi admin() {
    return admin;
  }

  /** The last lines of its log, for diagnostics. */
  public List<String> lastLines() {
    return process == null ? List.of() : process.lastLines();
  }

  private ChildProcess running() {
    ChildProcess running = process;
    if (running == null) {
      throw new IllegalStateException("not started");
    }
    return running;
  }
}
