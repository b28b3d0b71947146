// SPDX-License-Identifier: Apache-2.0
package com.example.storefront;

import com.example.greeter.proto.GreetRequest;
import com.example.greeter.proto.GreeterGrpc;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.TimeUnit;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /greet/NAME}. */
@RestController
class GreetingController {
  private final GreeterGrpc.GreeterBlockingStub greeter;

  GreetingController(GreeterGrpc.GreeterBlockingStub greeter) {
    this.greeter = greeter;
  }

  @GetMapping("/greet/{name}")
  String greet(@PathVariable String name) {
    return greeter
            .withDeadlineAfter(5, TimeUnit.SECONDS)
            .greet(GreetRequest.newBuilder().setName(name).build())
            .getText()
        + "\n";
  }

  /** A call that failed says why, with the resource and the node in it: worth a line in the log. */
  @ExceptionHandler
  ResponseEntity<String> unavailable(StatusRuntimeException e) {
    return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE).body(e.getMessage() + "\n");
  }
}
