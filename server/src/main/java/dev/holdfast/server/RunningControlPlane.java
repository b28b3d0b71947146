// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import dev.holdfast.controlplane.report.ProblemReport;
import dev.holdfast.controlplane.report.Reports;
import dev.holdfast.controlplane.trace.TraceSpan;
import dev.holdfast.server.admin.History;
import dev.holdfast.server.admin.SourceReport;
import dev.holdfast.server.options.StartException;
import io.grpc.BindableService;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A started control plane, as the daemon uses it. */
public interface RunningControlPlane extends AutoCloseable {
  Reports reports();

  History history();

  /** What proxies call: the services of the xDS port. */
  List<BindableService> services();

  /** What keeps the source from reporting its objects, for people; empty if that is not known. */
  default String waitingFor() {
    return "";
  }

  /** Where the objects come from, and how current they are now. */
  default SourceReport source() {
    return SourceReport.NONE;
  }

  /**
   * Lists further problems, of the server around the control plane, among those of the objects.
   *
   * @param problems may be asked by any thread
   */
  default void addProblems(Supplier<List<ProblemReport>> problems) {}

  /**
   * Follows each change of an object from now on.
   *
   * @param sink is given the spans; it must not wait
   */
  default void trace(Consumer<TraceSpan> sink) {}

  /**
   * The port that proxies connect to is open.
   *
   * @throws StartException if something cannot be started that connects to this control plane
   */
  default void onListening() throws StartException {}

  /** What runs beside it, for people; empty if nothing does. */
  default String companions() {
    return "";
  }

  /** Where the state is kept, for people. */
  String state();

  /**
   * Ends the streams of proxies and stores what is not stored yet. No new streams come any more;
   * those there are may still speak until they are ended.
   */
  @Override
  void close();
}
