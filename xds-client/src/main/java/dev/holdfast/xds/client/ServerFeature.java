// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client;

import java.util.Optional;

/** What a bootstrap's {@code server_features} may say of a server. */
public enum ServerFeature {
  /** On a data error drop the resource that is in use (gRFC A88). */
  FAIL_ON_DATA_ERRORS("fail_on_data_errors"),
  /** The server reports missing resources itself, so a timer only means slowness (gRFC A88). */
  RESOURCE_TIMER_IS_TRANSIENT_ERROR("resource_timer_is_transient_error"),
  /** Obsolete (gRFC A53): without effect unless data error handling is switched off. */
  IGNORE_RESOURCE_DELETION("ignore_resource_deletion"),
  /** Fields that redirect traffic may be honoured (gRFC A81). */
  TRUSTED_XDS_SERVER("trusted_xds_server");

  private final String text;

  ServerFeature(String text) {
    this.text = text;
  }

  /** The feature as a bootstrap spells it. */
  public String text() {
    return text;
  }

  /**
   * The feature with this spelling; empty for features that are unknown, which are to be ignored.
   */
  public static Optional<ServerFeature> parse(String text) {
    if (text.equals("resource_timer_is_transient_failure")) { // gRFC A88 uses both spellings
      return Optional.of(RESOURCE_TIMER_IS_TRANSIENT_ERROR);
    }
    for (ServerFeature feature : values()) {
      if (feature.text.equals(text)) {
        return Optional.of(feature);
      }
    }
    return Optional.empty();
  }
}
