// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import static dev.holdfast.grpc.config.Dependent.config;
import static dev.holdfast.grpc.config.Dependent.routesTo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.XdsTypes;
import dev.holdfast.testkit.Resources;
import io.grpc.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the clusters' notes say (gRFC A88): ambient errors, else the node, which is named once. */
class NotesTest {
  @Test
  void withoutErrorsTheNoteNamesTheNode() {
    try (Dependent it = Dependent.withOneCluster()) {
      assertThat(config(it.next(), "c").note()).isEqualTo("xDS node ID:node-1");
    }
  }

  @Test
  void g106AmbientErrorsKeepTheConfigurationAndAreNoted() {
    try (Dependent it = Dependent.withOneCluster()) {
      XdsConfig before = it.next();
      it.ambient("LDS", "svc", Status.Code.NOT_FOUND, "does not exist");
      it.ambient("RDS", "r", Status.Code.UNAVAILABLE, "server lost");
      it.ambient("CDS", "c", Status.Code.INVALID_ARGUMENT, "invalid");
      it.ambient("EDS", "c", Status.Code.PERMISSION_DENIED, "not yours");
      it.next();
      it.next();
      it.next();
      XdsConfig after = it.next();
      assertThat(config(after, "c").note())
          .isEqualTo(
              "LDS resource svc: does not exist; RDS resource r: server lost; "
                  + "CDS resource c: invalid; EDS resource c: not yours (node ID:node-1)");
      assertThat(config(after, "c").members()).isEqualTo(config(before, "c").members());
      assertThat(after.virtualHost()).isSameAs(before.virtualHost());
    }
  }

  @Test
  void noteOfAClusterHasNothingOfTheOthers() {
    try (Dependent it = new Dependent()) {
      it.listener("r").routes(routesTo("r", "c", "d"));
      it.cluster(Resources.edsCluster("c")).endpoints("c", 1);
      it.cluster(Resources.edsCluster("d")).endpoints("d", 1);
      XdsConfig before = it.next();
      it.ambient("EDS", "d", Status.Code.UNAVAILABLE, "server lost");
      XdsConfig after = it.next();
      assertThat(config(after, "c")).isSameAs(config(before, "c"));
      assertThat(config(after, "d").note())
          .isEqualTo("EDS resource d: server lost (node ID:node-1)");
    }
  }

  @Test
  void oneReasonForSeveralResourcesIsSaidOnce() {
    try (Dependent it = Dependent.withOneCluster()) {
      it.next();
      it.inOneTurn(
          () -> {
            it.xds.ambient("LDS", "svc", Status.Code.UNAVAILABLE, "server lost");
            it.xds.ambient("CDS", "c", Status.Code.NOT_FOUND, "does not exist");
            it.xds.ambient("EDS", "c", Status.Code.UNAVAILABLE, "server lost");
          });
      assertThat(config(it.next(), "c").note())
          .isEqualTo(
              "LDS resource svc, EDS resource c: server lost; CDS resource c: does not exist"
                  + " (node ID:node-1)");
    }
  }

  @Test
  void errorsThatAreOverLeaveTheNote() {
    try (Dependent it = Dependent.withOneCluster()) {
      it.next();
      it.ambient("LDS", "svc", Status.Code.UNAVAILABLE, "server lost");
      it.ambient("CDS", "c", Status.Code.UNAVAILABLE, "server lost");
      it.next();
      it.next();
      it.xds.healed("LDS", "svc");
      it.settle();
      assertThat(config(it.next(), "c").note())
          .isEqualTo("CDS resource c: server lost (node ID:node-1)");
      it.cluster(Resources.edsCluster("c"));
      assertThat(config(it.next(), "c").note()).isEqualTo("xDS node ID:node-1");
    }
  }

  @Test
  void errorThatIsToldAgainInTheSameWordsChangesNothing() {
    try (Dependent it = Dependent.withOneCluster()) {
      it.next();
      it.ambient("EDS", "c", Status.Code.UNAVAILABLE, "server lost").next();
      it.ambient("EDS", "c", Status.Code.UNAVAILABLE, "server lost").nothing();
      it.ambient("LDS", "svc", Status.Code.UNAVAILABLE, "server lost").next();
      it.ambient("LDS", "svc", Status.Code.UNAVAILABLE, "server lost").nothing();
    }
  }

  @Test
  void nodeWithoutIdIsSaidToHaveNone() {
    ErrorTexts texts = new ErrorTexts("");
    assertThat(texts.note(List.of())).isEqualTo("xDS node without ID");
    assertThat(texts.unavailable("text").getDescription()).isEqualTo("text");
  }

  @Test
  void resourceIsNamedOnceHoweverItsNameIsSpelled() {
    ErrorTexts texts = new ErrorTexts("n");
    Status status =
        Status.NOT_FOUND.withDescription("CDS resource xdstp://a/C/x?a=1&b=2: gone (node ID:n)");
    assertThat(
            texts
                .unavailable(new XdsTypes().cluster(), "xdstp://a/C/x?b=2&a=1", status)
                .getDescription())
        .isEqualTo("CDS resource xdstp://a/C/x?a=1&b=2: gone (node ID:n)");
    assertThat(texts.unavailable(new XdsTypes().cluster(), "c", Status.ABORTED).getDescription())
        .isEqualTo("CDS resource c: ABORTED (node ID:n)");
  }
}
