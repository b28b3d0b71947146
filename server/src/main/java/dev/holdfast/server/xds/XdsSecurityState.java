// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.xds;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.report.ProblemReport;
import dev.holdfast.server.admin.SecurityReport;
import dev.holdfast.server.options.StartException;
import dev.holdfast.server.options.XdsSecurity;
import dev.holdfast.server.tls.PortTls;
import dev.holdfast.server.tls.RefusedClients;
import dev.holdfast.server.tls.TlsFiles;
import dev.holdfast.server.tls.TlsProblem;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the port of proxies is secured, while it is open. */
public final class XdsSecurityState implements AutoCloseable {
  private final @Nullable PortTls tls;
  private final RefusedClients refused;

  private XdsSecurityState(@Nullable PortTls tls, RefusedClients refused) {
    this.tls = tls;
    this.refused = refused;
  }

  /**
   * Reads the files that TLS needs.
   *
   * @throws StartException if they cannot be used
   */
  public static XdsSecurityState open(XdsSecurity options, TimeSource time) throws StartException {
    TlsFiles files = options.tls();
    return new XdsSecurityState(
        files == null ? null : PortTls.open("xDS", files, time), new RefusedClients("xDS", time));
  }

  /** What the port is opened with. */
  public ServerCredentials credentials() {
    return tls == null ? InsecureServerCredentials.create() : TlsConnections.create(tls, refused);
  }

  /** In words, such as {@code with TLS}. */
  public String describe() {
    if (tls == null) {
      return "";
    }
    return tls.asksForCertificates() ? " with mTLS" : " with TLS";
  }

  public boolean isEncrypted() {
    return tls != null;
  }

  public List<ProblemReport> problems() {
    TlsProblem problem = tls == null ? null : tls.problem();
    return problem == null
        ? List.of()
        : List.of(
            ProblemReport.ofServer(ProblemReport.TLS_FILES, problem.message(), problem.since()));
  }

  public SecurityReport report() {
    return new SecurityReport(refused.counts(), tls == null ? null : tls.notAfter());
  }

  @Override
  public void close() {
    if (tls != null) {
      tls.close();
    }
    refused.close();
  }
}
